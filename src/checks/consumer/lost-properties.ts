/** Finds which properties a consumer loses when it moves from a deprecated operation to its successor. */
import type { Operation } from '../../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { getOrInsert } from '../../json/own-value.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { describeOperations, jsonContent } from '../../schemas/operations/describe-operations.js'
import type { Call } from './consumer-rule.js'
import type { Lock } from './lock.js'

const maxDepth = 6

type LostProperties = (call: Pick<Call, 'operation'>) => string[]

/** @param lock which properties each operation returned, or, where people wrote that, which ones are read */
export function createLostProperties(document: OpenApiDocument, lock: Lock | undefined): LostProperties {
  const { uses = [], reads = {} } = lock ?? {}
  const lost = new Map<string, string[]>()

  function find({ method, path, lifecycle: { successor } }: Operation): string[] {
    if (!successor) return []
    const other = describeOperations(document).find(
      (each) => each.method === successor.method && each.path === successor.path,
    )
    const success = [...(other?.responses ?? [])].find(([status]) => status.startsWith('2'))?.[1]
    const json = success && jsonContent(success.value.content, success.path)
    if (!json?.value.schema) return []
    const known = new Set(namesIn({ value: json.value.schema, path: [...json.path, 'schema'] }, '', 0))
    const name = `${method} ${path}`
    const written = Object.entries(reads).flatMap(([at, list]) => (at.startsWith(`${name} 2`) ? list : []))
    const returned = uses.flatMap(({ part, operation, at }) =>
      part === 'returned' && operation === name && at.startsWith('2') ? at.slice(at.indexOf(' ') + 1) : [],
    )
    const paths = (written.length > 0 ? written : returned).map(ofRecord)
    return [...new Set(paths)].filter((each) => each !== '' && !known.has(each)).sort()
  }

  function* namesIn(schema: Located<Schema>, at: string, depth: number): Generator<string> {
    if (depth > maxDepth) return
    const { properties, items } = flattenSchema(document, schema)
    if (items) yield* namesIn(items, `${at}[]`, depth + 1)
    for (const [name, property] of properties) {
      const path = at === '' ? name : `${at}.${name}`
      yield ofRecord(path)
      yield* namesIn(property, path, depth + 1)
    }
  }

  return ({ operation }) => (operation ? getOrInsert(lost, operation.id, () => find(operation)) : [])
}

/** The path in a record: `name` for `[].name` and `data[].name`, as the one operation may list what the other reads. */
function ofRecord(path: string): string {
  return path.replace(/^[\w$-]*\[\]\.?/, '')
}
