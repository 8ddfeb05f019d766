/** Addresses of records in the control API and in the page. */
import { singletonKey } from '../../json/path-property.js'
import { type Collection, encode, get, type Page, type StoredRecord, type Values } from '../api.js'
import { toText } from '../json-text.js'
import { toHash } from '../router.js'
import { collections, environment, world } from '../store.js'

/** The environment in which a collection is shown. */
export function environmentOf({ environments }: Collection): string {
  return environments.includes(environment.value) ? environment.value : (environments[0] ?? '')
}

/** The path of the records of a collection, in the world and environment in view. */
export function toPath(collection: Collection, rest = '', query = ''): string {
  const base = `/worlds/${encode(world.value)}/collections/${encode(collection.name)}/records`
  return `${base}${rest}?environment=${encode(environmentOf(collection))}${query}`
}

/** Identifies a record: its key, and the keys of its owners, outermost first. */
export type Identity = readonly [key: string, ...owners: string[]]

export function identityOf({ key, scope }: Collection, values: Values): Identity {
  return [toText(values[key]), ...scope.map((name) => toText(values[name]))]
}

/** @example labelOf(books, ['7']) // 'id 7' */
export function labelOf({ key, scope }: Collection, [own, ...owners]: Identity): string {
  const [name, text] = key === singletonKey ? [scope.at(-1), owners.at(-1)] : [key, own]
  return `${name?.replace(/[{}]/g, '')} ${text}`
}

/** The part of the address before the identity of a record. */
const recordPart = 'record'

/** The address of a record. @example toRecordHash(books, { id: 7 }) // '#/data/books/record/7' */
export function toRecordHash(collection: Collection, values: Values): string {
  return toHash('data', collection.name, recordPart, ...identityOf(collection, values))
}

/** @param parts the parts of an address after the name of the collection */
export function toIdentity([place, key, ...owners]: readonly string[]): Identity | undefined {
  return place === recordPart && key !== undefined ? [key, ...owners] : undefined
}

/** The query that finds a record. Leaves out optional owners. */
export function toQuery([key, ...owners]: Identity): string {
  const parents = owners.includes('') ? [] : owners
  return [`&key=${encode(key)}`, ...parents.map((each) => `&parent=${encode(each)}`)].join('')
}

/** Records may have equal keys below different owners. */
export async function findRecord(collection: Collection, identity: Identity): Promise<StoredRecord | undefined> {
  const { records } = await get<Page>(toPath(collection, '', `${toQuery(identity)}&limit=1000`))
  const wanted = JSON.stringify(identity)
  return records.find(({ values }) => JSON.stringify(identityOf(collection, values)) === wanted)
}

/** A record that a value names. It may be missing. */
export interface Target {
  collection: Collection
  key: string
  /** The keys of its owners, outermost first. Empty if they are not known. */
  parents: string[]
}

/** @returns what a property refers to; undefined for other properties */
export function toTarget(collection: Collection, values: Values, property: string): Target | undefined {
  for (const { collection: name, values: pairs } of collection.links) {
    const target = collections.value.find((each) => each.name === name)
    const own = pairs.find(({ other }) => other === target?.key)?.own
    const { [own ?? '']: key } = values
    if (!target || own !== property || key === undefined || key === null) continue
    const parents = target.scope.map((part) => {
      const from = pairs.find(({ other }) => other === part)?.own
      return from === undefined ? undefined : values[from]
    })
    const isWhole = parents.every((each) => each !== undefined)
    return { collection: target, key: toText(key), parents: isWhole ? parents.map(toText) : [] }
  }
  return undefined
}
