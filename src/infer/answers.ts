/** Says what answers show besides records: what an operation computes, choices of properties, repeated lists. */

import { guess } from '../behaviour/line.js'
import type { Repeats } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { schemaOf } from '../document/document.js'
import { isIndex } from '../lexicon/numbers.js'
import { saysChoice } from '../lexicon/parameter-texts.js'
import { hasRole, isFieldsOf } from '../lexicon/parameters.js'
import { bareName, nounOf, singular, wordsOf } from '../lexicon/words.js'
import { examplesAt } from '../schemas/examples.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { parameterSchema, recordContent } from '../schemas/operations/request-content.js'
import type { FoundList } from './facts/body-shape.js'
import type { Candidate } from './facts/candidate.js'
import { findReferenceKeys } from './facts/find-reference-keys.js'
import { findResult } from './facts/find-result.js'
import { controlsList, isText } from './queries/query-parameters.js'

/** Says what a POST that answers by example computes: items of the lists of its answer, of which no example is shown. */
export function findResults(document: OpenApiDocument, { operation, success, lines }: Candidate): void {
  const { schema } = success ?? {}
  if (operation.method !== 'POST' || !schema) return
  if (examplesAt(document, { path: schema.path.slice(0, -1), is: 'record' }).length > 0) return
  const { properties, required } = flattenSchema(document, schema)
  for (const [name, property] of properties) {
    const value = findResult(document, { name, schema: property, isRequired: required.has(name) })
    if (value) lines.add('results', name, value, guess('name', 'it is computed'))
  }
}

export function findChoice(
  document: OpenApiDocument,
  { operation, success, record, resource, lines }: Candidate,
): void {
  if (!success?.schema) return
  const known = record && flattenSchema(document, record).properties
  const isOwnType = (name: string) => known?.has('attributes') === true && isFieldsOf(name, resource?.name ?? '')
  const found = operation.parameters.flatMap(({ value, ...place }) => {
    const { name: parameter, in: at, description = '' } = value as typeof value & { description?: string }
    if (at !== 'query') return []
    const schema = parameterSchema({ value, ...place })
    const flat = flattenSchema(document, schema)
    const isNamed = hasRole(parameter, 'fields') || hasRole(parameter, 'leftOut') || isOwnType(parameter)
    if (isNamed) {
      const isTold = parameter === '$select' || saysChoice(description)
      return isTold && (isText(flat) || flat.types.has('array')) ? { parameter } : []
    }
    const members = controlsList(flat) ? [...flat.properties] : []
    return members.flatMap(([member, each]) =>
      hasRole(member, 'fields') && namesProperties(flattenSchema(document, each), known) ? { parameter, member } : [],
    )
  })[0]
  if (!found) return
  const { parameter: name } = found
  const within = isOwnType(name) ? 'attributes' : bareName(name)
  const owner = known?.get(within)
  const inner = owner && flattenSchema(document, owner)
  const says = {
    ...found,
    ...(hasRole(name, 'leftOut') && { leavesOut: true as const }),
    // The properties of a record may be inside of one: `properties` in `{ id, properties: { … } }`.
    ...(inner?.types.has('object') && { inner: within }),
  }
  lines.add('choice', '', says, guess('name', 'it is called so'))
}

/** Whether the members of a schema are names of properties: `{ id: true, name: true }` */
function namesProperties({ properties }: FlatSchema, known: FlatSchema['properties'] = new Map()): boolean {
  return properties.size > 0 && [...properties.keys()].every((name) => known.has(name))
}

export function findRepeats(
  document: OpenApiDocument,
  operation: DescribedOperation,
  { pointer, schema, item, isEnvelope }: FoundList,
): Repeats | undefined {
  const content = operation.method === 'GET' ? undefined : recordContent(document, operation)
  if (content?.value.schema === undefined) return undefined
  const limits = flattenSchema(document, schema).keywords
  if (limits.maxItems !== undefined || limits.uniqueItems === true) return undefined
  const body = flattenSchema(document, schemaOf(content))
  const itemsOf = (each: Located<Schema>) => flattenSchema(document, each).items
  const lists = body.items
    ? [{ given: [], items: body.items }]
    : [...body.properties].flatMap(([name, each]) => {
        const items = itemsOf(each)
        return items ? [{ given: [name], items }] : []
      })
  const isNamed = ({ given }: { given: string[] }) => nounOf(given[0] ?? '') === nounOf(pointer.at(-1) ?? '')
  const found = lists.find(isNamed) ?? (lists.length === 1 && isEnvelope ? lists[0] : undefined)
  if (!found) return undefined
  const { properties } = flattenSchema(document, item)
  const sent = flattenSchema(document, found.items)
  const last = singular(wordsOf(found.given[0] ?? 'ids').at(-1) ?? '')
  const keys = sent.properties.size === 0 ? findReferenceKeys(document, flattenSchema(document, item), sent.types) : []
  const key = keys.find(
    ([name, types]) => [bareName(name), 'id'].includes(last) && types.some((type) => sent.types.has(type)),
  )
  const index = [...properties].find(
    ([name, each]) => isIndex(name) && flattenSchema(document, each).types.has('integer'),
  )
  return { given: found.given, ...(key && { key: key[0] }), ...(index && { index: index[0] }) }
}
