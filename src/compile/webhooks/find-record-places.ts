/** Finds where the body of a callback or webhook shows the record that an operation changed. */
import type { CollectionModel } from '../../contract/contract.js'
import type { RecordPlace } from '../../contract/hook.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { placeOf } from '../operations/compile-ensure.js'
import { isSameName, nounOf, wordsOf } from '../resources/paths/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'

/** A part of a body that is an object. */
export interface BodyPart {
  pointer: string[]
  schema: Located<Schema>
}

/** Parts below are not searched. */
const maxDepth = 4
const maxParts = 500

/** The part itself and those in it, the outermost first. A schema that contains itself is entered once. */
export function* partsOf(document: OpenApiDocument, root: Located<Schema>): Generator<BodyPart> {
  const waiting: (BodyPart & { above: readonly string[] })[] = [{ pointer: [], schema: root, above: [] }]
  for (const { pointer, schema, above } of waiting) {
    const place = placeOf(document, schema)
    if (above.includes(place)) continue
    yield { pointer, schema }
    if (pointer.length >= maxDepth) continue
    const { properties, items } = flattenSchema(document, schema)
    const inner = [...properties, ...(items ? [['0', items] as const] : [])]
    if (waiting.length + inner.length > maxParts) continue
    for (const [name, each] of inner)
      waiting.push({ pointer: [...pointer, name], schema: each, above: [...above, place] })
  }
}

/** The part that has the schema of the record, else that with most of its properties; and the properties that name it. */
export function findRecordPlaces(
  document: OpenApiDocument,
  body: Located<Schema>,
  record: Located<Schema>,
  { name, key }: Pick<CollectionModel, 'name' | 'key'>,
): RecordPlace[] {
  const known = flattenSchema(document, record).properties
  const parts = [...partsOf(document, body)].filter(({ pointer }) => !isBefore(pointer.at(-1)))
  const home = placeOf(document, record)
  const whole = parts.find(({ schema }) => placeOf(document, schema) === home)
  const places: RecordPlace[] = []
  if (whole) places.push({ pointer: whole.pointer })
  else {
    const shared = parts.map(({ pointer, schema }) => {
      const names = [...flattenSchema(document, schema).properties.keys()].filter((each) => known.has(each))
      return { pointer, values: names.map((each): [string, string] => [each, each]) }
    })
    const most = Math.max(...shared.map(({ values }) => values.length))
    const best = most > 0 ? shared.find(({ values }) => values.length === most) : undefined
    if (best) places.push(best)
  }
  // Beside the record, or in its place, a body may name it: `orderId`.
  for (const { pointer, schema } of parts) {
    if (pointer.length > 1 || whole?.pointer.join() === pointer.join()) continue
    const names = [...flattenSchema(document, schema).properties.keys()]
    const naming = names.filter((each) => isSameName(each, `${nounOf(name)}_${key}`) && !known.has(each))
    if (naming.length > 0) places.push({ pointer, values: naming.map((each) => [each, key]) })
  }
  return places
}

/** Whether a part is of the state before the event. */
function isBefore(name: string | undefined): boolean {
  return name !== undefined && wordsOf(name).some((word) => ['previous', 'old', 'before', 'prior'].includes(word))
}
