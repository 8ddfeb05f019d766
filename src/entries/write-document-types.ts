/** Writes the types of a document: its paths, the records of its collections, and the ids of its operations. */
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import type { Effect } from '../contract/effects/effect.js'
import { isReference, methodNames, type OpenApiDocument, type Reference } from '../document/document.js'
import { followOnce, resolve, toPointer } from '../document/references.js'
import { toJson } from '../json/exact-json.js'
import { findSelection } from '../sandbox/overrides/apply-overrides.js'
import { nameOf } from '../sandbox/overrides/override-context.js'
import { describeOperations } from '../schemas/operations/describe-operations.js'

/** Finds the type of a record in the type of an operation. */
const helpers = `
type Answered<Operation, Status extends PropertyKey, Media extends string> = Operation extends {
  responses: { [Each in Status]: { content: infer Content } }
}
  ? Content[keyof Content & \`\${Media}\${string}\`]
  : never
type Sent<Operation> = Operation extends { requestBody?: { content: infer Content } } ? Content[keyof Content] : undefined
type Own<Value, Key> = Value extends unknown ? (Key extends keyof Value ? Value[Key] : never) : never
type At<Value, Path extends readonly unknown[]> = Path extends readonly [infer Key, ...infer Rest]
  ? At<Own<NonNullable<Value>, Key>, Rest>
  : NonNullable<Value>
type Item<Value> = [Value] extends [never] ? Anything : Value extends readonly unknown[] ? Anything : Value extends object ? Value : Anything
type Anything = { readonly [property: string]: unknown }
`

/**
 * Returns the types `paths`, `components` and others of openapi-typescript, and an interface with the collections and
 * operations of the contract: see `DocumentTypes`.
 * @param name the name of the interface
 * @throws if openapi-typescript can't read the document
 */
export async function writeDocumentTypes(
  document: OpenApiDocument,
  contract: RequestContract,
  name: string,
): Promise<string> {
  const text = toJson(document)
  let mark = 'Own'
  while (text.includes(mark)) mark += 'Own'
  // openapi-typescript modifies its input.
  const copy = JSON.parse(text.replace(inherited, `$&${mark}`))
  shortenChains(copy)
  const types = await openapiTypescript(copy as OpenAPI3, { silent: true })
  return astToString(types).replaceAll(mark, '') + helpers + writeInterface(document, contract, name)
}

/** Names that all objects inherit. They are marked, because openapi-typescript looks names up in plain objects. */
const inherited = new RegExp(`(?<!\\w)(${Object.getOwnPropertyNames(Object.prototype).join('|')})(?!\\w)`, 'g') // unmeasured: names of Object.prototype

/** Points each `$ref` at the end of its chain, because openapi-typescript takes quadratic time for chains. */
function shortenChains(document: OpenApiDocument): void {
  const open: unknown[] = [document]
  const seen = new Set<unknown>()
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isReference(value)) shorten(value)
    for (const inner of Object.values(value)) open.push(inner)
  }

  function shorten(reference: Reference): void {
    try {
      const { value } = followOnce(document, reference, [])
      if (isReference(value)) reference.$ref = toPointer(resolve(document, value, []).path)
    } catch {
      // An example may look like a `$ref` without a target.
    }
  }
}

/** The same interface for a document that openapi-typescript can't read: records are objects with any properties. */
export function writeLooseTypes(contract: RequestContract, name: string): string {
  return `type Anything = { readonly [property: string]: unknown }\n${writeInterface(undefined, contract, name)}`
}

function writeInterface(document: OpenApiDocument | undefined, contract: RequestContract, name: string): string {
  // openapi-typescript writes types of the methods before OpenAPI 3.2.
  const names: readonly string[] = methodNames
  const described = document ? describeOperations(document) : []
  const paths = new Map(
    described.flatMap(({ id, path, method }) => (names.includes(method.toLowerCase()) ? [[id, path] as const] : [])),
  )
  const collections = contract.collections.map((model) => {
    const type = contract.operations.flatMap((operation) => writeRecord(operation, model.name, paths) ?? [])
    const [best = { rank: 0, text: 'Anything' }] = type.sort((one, other) => one.rank - other.rank)
    return `    ${JSON.stringify(model.name)}: ${best.text}\n`
  })
  const bodies = contract.operations.flatMap(({ id, method }) => {
    const path = paths.get(id)
    const own = `paths[${JSON.stringify(path)}][${JSON.stringify(method.toLowerCase())}]`
    return path === undefined ? [] : `    ${JSON.stringify(id)}: Sent<${own}>\n`
  })
  const ids = contract.operations.map(({ id }) => `    | ${JSON.stringify(id)}\n`)
  return [
    '/** The collections of the document with their records, and the ids of its operations. */\n',
    `export interface ${name} {\n  collections: {\n${collections.join('')}  }\n`,
    `  operation:\n${ids.join('') || '    never\n'}`,
    bodies.length === 0 ? '}\n' : `  bodies: {\n${bodies.join('')}  }\n}\n`,
  ].join('')
}

/**
 * The interface `Api` for `defineOverrides`: paths, operations by id, collections, and the record that each operation selects.
 * @param types what `writeDocumentTypes` wrote with the name `DescribedDocument`
 */
export function writeApi(document: OpenApiDocument, contract: RequestContract, types: string): string {
  const described = types.includes('export interface paths') ? describeOperations(document) : []
  const known = new Map(described.map(({ id, path, method }) => [id, [path, method.toLowerCase()] as const]))
  const names: readonly string[] = methodNames
  const operations: string[] = []
  const selects: string[] = []
  for (const operation of contract.operations) {
    const [path, method] = known.get(operation.id) ?? []
    const typed = path !== undefined && names.includes(method ?? '')
    const own = typed ? `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]` : 'unknown'
    operations.push(`    ${JSON.stringify(operation.id)}: ${own}\n`)
    const { effect } = findSelection(contract, operation) ?? {}
    const collection = effect && `DescribedDocument['collections'][${JSON.stringify(effect.collection)}]`
    for (const name of effect ? new Set([operation.id, nameOf(operation)]) : [])
      selects.push(`    ${JSON.stringify(name)}: ${collection}\n`)
  }
  return [
    '\n/** What `defineOverrides` takes: the record that each operation selects is in `selects`. */\nexport interface Api {\n',
    described.length > 0 ? '  paths: paths\n' : '  paths: {}\n',
    `  operations: {\n${operations.join('')}  }\n`,
    "  collections: DescribedDocument['collections']\n",
    `  selects: {\n${selects.join('')}  }\n}\n`,
  ].join('')
}

/** The kinds of effects whose answers show records, best first. */
const shown: readonly Effect['kind'][] = ['read', 'create', 'replace', 'update', 'list']

function writeRecord(operation: Operation, collection: string, paths: ReadonlyMap<string, string>) {
  const { id, effect, method } = operation
  const path = paths.get(id)
  const rank = shown.indexOf(effect.kind)
  if (path === undefined || rank < 0 || !('collection' in effect) || effect.collection !== collection) return undefined
  if (effect.mediaType === undefined || ('answer' in effect && effect.answer)) return undefined
  const status = documentedResponse(operation, effect.status)?.status
  const steps = stepsTo(effect)
  if (status === undefined || steps === undefined) return undefined
  const own = `paths[${JSON.stringify(path)}][${JSON.stringify(method.toLowerCase())}]`
  const key = /^\d+$/.test(status) ? status : JSON.stringify(status)
  const [bare = ''] = effect.mediaType.split(';')
  return { rank, text: `Item<At<Answered<${own}, ${key}, ${JSON.stringify(bare)}>, [${steps.join(', ')}]>>` }
}

/** The types of the keys that lead to the record in an answer. Undefined if there is none. */
function stepsTo(effect: Effect & { envelope?: { pointer: string[]; isMap?: true } }): string[] | undefined {
  const envelope = effect.envelope?.pointer.map((name) => (/^\d+$/.test(name) ? 'number' : JSON.stringify(name))) ?? []
  if (effect.kind !== 'list') return envelope
  if (effect.keys) return undefined
  const own = effect.wrapper === undefined ? [] : [JSON.stringify(effect.wrapper)]
  return [...envelope, effect.envelope?.isMap ? 'string' : 'number', ...own]
}
