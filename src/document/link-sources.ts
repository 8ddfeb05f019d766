/**
 * Combines several files to one document. Each other file becomes a member of `x-sandbox-files`, and each `$ref` a pointer
 * from the root. A `$ref` where OpenAPI does not allow one, such as for all paths, is replaced by its target.
 */
import { getOrInsert, isObject } from '../json/own-value.js'
import { type DocumentPath, filesMember, isReference } from './document.js'
import type { Places } from './places.js'
import { toPointer } from './references.js'
import { MissingTarget, type Resolver } from './resolve-reference.js'
import { type Member, memberOf, type ObjectKind, one } from './tidy/object-kinds.js'

type Holder = Record<string | number, unknown>

/** Members that exist only in Swagger 2.0. */
const swaggerMembers: Partial<Record<ObjectKind, Record<string, Member>>> = {
  document: {
    definitions: { kind: 'schema', holds: 'map' },
    parameters: { kind: 'parameter', holds: 'map' },
    responses: { kind: 'response', holds: 'map' },
  },
  response: { schema: one('schema') },
}
/** Objects with another form in Swagger 2.0. They are upgraded at the place of their `$ref`. */
const inlinedBySwagger: readonly Member['kind'][] = ['pathItem', 'parameter', 'response', 'header']
/** Objects that a `$ref` may replace (OpenAPI 3.1, section 4.8.23). */
export const referable: readonly Member['kind'][] = [
  ...(['schema', 'pathItem', 'parameter', 'header', 'requestBody', 'response', 'mediaType', 'example'] as const),
  ...(['callback', 'securityScheme'] as const),
]

/** Members with literal values. */
const literals = ['example', 'examples', 'default', 'value', 'dataValue']

export interface LinkOptions {
  resolver: Resolver
  places: Places
  isSwagger: boolean
}

/** References to other files, and references that are not pointers from the root. Others need no linking. */
const mayNeedLinks = /\$ref["']?\s*:\s*["']?(?!#\/|["'\s])|\$id["']?\s*:/

export function needsLinks(text: string): boolean {
  return mayNeedLinks.test(text)
}

/** A `$ref` without a target. */
export interface MissingReference {
  /** The `$ref` as written. */
  $ref: string
  /** What is wrong, as a sentence without a full stop. */
  message: string
}

interface Linking extends LinkOptions {
  missing: Map<string, MissingReference>
  seen: Map<object, Set<Member['kind']>>
  literal: Set<object>
  /** Targets that are not linked yet. */
  waiting: [holder: Holder, key: string | number, member: Member, path: DocumentPath][]
}

/**
 * @param document is modified
 * @returns the references without a target, by their replacement
 */
export function linkSources(document: object, options: LinkOptions): Map<string, MissingReference> {
  const linking: Linking = { ...options, missing: new Map(), seen: new Map(), literal: new Set(), waiting: [] }
  linkMember(linking, { document }, 'document', one('document'), [])
  for (let next = linking.waiting.pop(); next; next = linking.waiting.pop()) linkMember(linking, ...next)
  return linking.missing
}

/** Points a `$ref` at its target. A `$ref` without a target is left to the next step, which repairs it. */
function link(linking: Linking, value: { $ref: string }, kind: Member['kind'], path: DocumentPath): void {
  const written = value.$ref
  const isInside = written.startsWith('#/') && path[0] !== filesMember
  try {
    const target = linking.resolver.resolve(written, path)
    if (!isInside || toPointer(target.path) !== written) value.$ref = toPointer(target.path)
    linking.waiting.push([{ target: target.value }, 'target', one(kind), target.path])
  } catch (error) {
    if (!(error instanceof MissingTarget)) throw error
    // A pointer in the document itself may be that of another version, which the next step handles.
    if (isInside || error.message === '') return
    value.$ref = `${written}#${linking.missing.size}`
    linking.missing.set(value.$ref, { $ref: written, message: `$ref "${written}" ${error.message}` })
  }
}

/** Replaces an object that is only a `$ref` by its target. @returns the place of the target */
function inline(linking: Linking, holder: Holder, key: string | number, path: DocumentPath): DocumentPath {
  let home = path
  for (let steps = 0; steps < 100; steps++) {
    const value = holder[key]
    const target = isReference(value) ? linking.resolver.attempt(value.$ref, home) : undefined
    if (!target) break
    holder[key] = target.value
    home = target.path
  }
  if (home !== path) linking.places.set(path, linking.places.find(home))
  return home
}

/** Adds the members of the target of a `$ref` next to it. @returns their linking.places */
function spread(linking: Linking, value: Holder, path: DocumentPath): Map<string, DocumentPath> {
  const homes = new Map<string, DocumentPath>()
  let home = path
  for (let steps = 0; steps < 100 && isReference(value); steps++) {
    const target = linking.resolver.attempt(value.$ref, home)
    if (!target || !isObject(target.value) || target.value === value) break
    delete (value as Holder)['$ref']
    home = target.path
    for (const [name, member] of Object.entries(target.value)) {
      if (Object.hasOwn(value, name)) continue
      value[name] = member
      homes.set(name, [...home, name])
      if (name !== '$ref') linking.places.set([...path, name], linking.places.find([...home, name]))
    }
  }
  return homes
}

function linkMember(
  linking: Linking,
  holder: Holder,
  key: string | number,
  { kind, holds }: Member,
  path: DocumentPath,
): void {
  const value = holder[key]
  if (holds === 'list') {
    const home =
      isReference(value) && Array.isArray(linking.resolver.attempt(value.$ref, path)?.value)
        ? inline(linking, holder, key, path)
        : path
    const list = holder[key]
    if (Array.isArray(list)) {
      for (const index of list.keys())
        linkMember(linking, list as unknown as Holder, index, one(kind), [...home, index])
    } else if (isObject(list)) linkMember(linking, holder, key, one(kind), path)
  } else if (!isObject(value)) return
  else if (holds === 'map') {
    const homes = spread(linking, value, path)
    for (const name of Object.keys(value))
      linkMember(linking, value, name, one(kind), homes.get(name) ?? [...path, name])
  } else linkObject(linking, holder, key, kind, path)
}

function linkObject(
  linking: Linking,
  holder: Holder,
  key: string | number,
  kind: Member['kind'],
  path: DocumentPath,
): void {
  const isInlined = linking.isSwagger && inlinedBySwagger.includes(kind)
  const before = holder[key]
  const isOther = isReference(before) && (path[0] === filesMember || !before.$ref.startsWith('#/'))
  const home = isInlined && isOther ? inline(linking, holder, key, path) : path
  const value = holder[key]
  if (!isObject(value)) return
  const kinds = getOrInsert(linking.seen, value, () => new Set())
  if (kinds.has(kind)) return
  kinds.add(kind)
  let homes = new Map<string, DocumentPath>()
  if (isReference(value)) {
    if (referable.includes(kind)) link(linking, value, kind, home)
    else homes = spread(linking, value, home)
  }
  if (kind === 'schema') linkMapping(linking, value, home)
  const file =
    kind === 'example' && value['value'] === undefined && linking.resolver.attempt(String(value['externalValue']), home)
  if (file) value['value'] = file.value
  for (const name of literals)
    if (name in value && !memberOf(kind, name)) linkLiteral(linking, value, name, [...home, name])
  for (const name of Object.keys(value)) {
    const member = (linking.isSwagger ? swaggerMembers[kind as ObjectKind]?.[name] : undefined) ?? memberOf(kind, name)
    if (member) linkMember(linking, value, name, member, homes.get(name) ?? [...home, name])
  }
}

/** Replaces each `$ref` to another file in an example by its target, which has no place of its own there. */
function linkLiteral(linking: Linking, holder: Holder, key: string | number, path: DocumentPath): void {
  const value = holder[key]
  if (typeof value !== 'object' || value === null || linking.literal.has(value)) return
  linking.literal.add(value)
  const isOther = isReference(value) && (path[0] === filesMember || !value.$ref.startsWith('#/'))
  const target = isOther ? linking.resolver.attempt(value.$ref, path) : undefined
  if (target)
    holder[key] = isObject(target.value) && target.path.at(-2) === 'examples' ? target.value['value'] : target.value
  else for (const name of Object.keys(value)) linkLiteral(linking, value as Holder, name, [...path, name])
}

function linkMapping(linking: Linking, { discriminator }: Holder, path: DocumentPath): void {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined
  if (!isObject(mapping)) return
  for (const [value, $ref] of Object.entries(mapping)) {
    const from = [...path, 'discriminator', 'mapping', value]
    const target = typeof $ref === 'string' && /[./#]/.test($ref) ? linking.resolver.attempt($ref, from) : undefined
    if (target) mapping[value] = toPointer(target.path)
  }
}
