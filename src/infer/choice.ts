/** Says by which parameter a request chooses the properties that an answer shows. */

import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { saysChoice } from '../lexicon/parameter-texts.js'
import { hasRole, isFieldsOf } from '../lexicon/parameters.js'
import { bareName } from '../lexicon/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { parameterSchema } from '../schemas/operations/request-content.js'
import type { Candidate } from './facts/candidate.js'
import { isText } from './queries/query-parameters.js'

export function findChoice(
  document: OpenApiDocument,
  { operation, success, record, resource, lines }: Candidate,
): void {
  if (!success?.schema) return
  const known = record && flattenSchema(document, record).properties
  const isOwnType = (name: string) => known?.has('attributes') === true && isFieldsOf(name, resource?.name ?? '')
  const found = operation.parameters.find(({ value, ...place }) => {
    const { name, in: at, description = '' } = value as typeof value & { description?: string }
    const isNamed = hasRole(name, 'fields') || hasRole(name, 'leftOut') || isOwnType(name)
    if (at !== 'query' || !isNamed) return false
    const { types } = flattenSchema(document, parameterSchema({ value, ...place }))
    return (isText({ types } as never) || types.has('array')) && (name === '$select' || saysChoice(description))
  })
  if (!found) return
  const { name } = found.value
  const within = isOwnType(name) ? 'attributes' : bareName(name)
  const owner = known?.get(within)
  const inner = owner && flattenSchema(document, owner)
  const says = {
    parameter: name,
    ...(hasRole(name, 'leftOut') && { leavesOut: true as const }),
    // The properties of a record may be inside of one: `properties` in `{ id, properties: { … } }`.
    ...(inner?.types.has('object') && { inner: within }),
  }
  lines.add('choice', '', says, guess('name', 'it is called so'))
}
