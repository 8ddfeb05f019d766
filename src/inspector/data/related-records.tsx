/** The records to which a record refers, and those that refer to it. */
import type { JSX } from 'preact'
import { type Collection, encode, get, type Page, type StoredRecord, type Values } from '../api.js'
import { toText } from '../json-text.js'
import { Empty } from '../parts/bits.js'
import { Problem, useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { collections, dataVersion, world } from '../store.js'
import { Short } from './cell.js'
import { titleOf } from './columns.js'
import { findRecord, type Identity, toPath, toRecordHash } from './place.js'

const maxShown = 5

interface Group {
  collection: Collection
  /** The properties that refer. */
  by: string
  total: number
  records: StoredRecord[]
  /** The address of all of them. */
  all: string
}

export function RelatedRecords({ collection, identity }: { collection: Collection; identity: Identity }): JSX.Element {
  const { loaded, problem } = useLoaded(
    () => loadGroups(collection, identity),
    [collection, identity.join('\n'), world.value, dataVersion.value],
  )
  if (problem.value !== '') return <Problem text={problem.value} />
  if (!loaded.value) return <p class="dim">Reading the related records…</p>
  const { to, from } = loaded.value
  if (to.length + from.length === 0)
    return (
      <Empty title="No related records" text="It refers to no record of another collection, and none refers to it." />
    )
  return (
    <>
      {to.length > 0 && <h3>It refers to</h3>}
      {to.map((group) => (
        <Records key={`${group.collection.name} ${group.by}`} group={group} none="no such record" />
      ))}
      {from.length > 0 && <h3>Records that refer to it</h3>}
      {from.map((group) => (
        <Records key={`${group.collection.name} ${group.by}`} group={group} />
      ))}
    </>
  )
}

/** @param props.none said instead of a 0 */
function Records(props: { group: Group; none?: string }): JSX.Element {
  const { collection, by, total, records, all } = props.group
  const { none = '0' } = props
  return (
    <section class="related">
      <p>
        <a href={all}>{collection.name}</a>{' '}
        <span class="dim">
          {total === 0 ? none : total.toLocaleString('en')} by {by}
        </span>
      </p>
      <ul>
        {records.map(({ id, values }) => (
          <li key={id}>
            <a href={toRecordHash(collection, values)}>
              <Short text={toText(values[collection.key])} />
            </a>
            {titleOf(collection, values) && ` · ${titleOf(collection, values)}`}
          </li>
        ))}
      </ul>
      {total > records.length && <a href={all}>All {total.toLocaleString('en')}</a>}
    </section>
  )
}

async function loadGroups(collection: Collection, identity: Identity): Promise<{ to: Group[]; from: Group[] }> {
  const values = (await findRecord(collection, identity))?.values
  if (!values) return { to: [], from: [] }
  const { value: all } = collections
  const to = collection.links.map((link) => {
    const other = all.find(({ name }) => name === link.collection)
    const by = link.values.map(({ own }) => own).join(', ')
    return other && loadGroup(other, link.values, values, by)
  })
  const from = all.flatMap((other) =>
    other.links
      .filter((link) => link.collection === collection.name)
      .map((link) => {
        const pairs = link.values.map(({ own, other: mine }) => ({ own: mine, other: own }))
        return loadGroup(other, pairs, values, pairs.map((each) => each.other).join(', '))
      }),
  )
  return { to: await settle(to), from: await settle(from) }
}

async function settle(groups: (Promise<Group | undefined> | undefined)[]): Promise<Group[]> {
  return (await Promise.all(groups)).filter((group) => group !== undefined)
}

/**
 * The records of a collection in which the other properties of the pairs have the values of the own ones.
 * @returns undefined if the record leaves one of them out
 */
async function loadGroup(
  collection: Collection,
  pairs: readonly { own: string; other: string }[],
  values: Values,
  by: string,
): Promise<Group | undefined> {
  if (pairs.some(({ own }) => values[own] === undefined || values[own] === null)) return undefined
  const wheres = pairs.map(({ own, other }) => `&where=${encode(`${other}=${toText(values[own])}`)}`).join('')
  const all = `${toHash('data', collection.name)}?${wheres.slice(1)}`
  return { collection, by, all, ...(await get<Page>(toPath(collection, '', `${wheres}&limit=${maxShown}`))) }
}
