/** Finds the parameter by which a request chooses the properties that an answer shows. */

import type { PropertyChoice } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { isText } from '../../../infer/queries/query-parameters.js'
import { saysChoice } from '../../../lexicon/parameter-texts.js'
import { hasRole, isFieldsOf } from '../../../lexicon/parameters.js'
import { bareName } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { parameterSchema } from '../../../schemas/operations/request-content.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { CompiledCandidate } from '../compiled-candidate.js'

export function compileChoice(
  document: OpenApiDocument,
  ensures: EnsureCompiler,
  { operation, success, record, resource }: CompiledCandidate,
): PropertyChoice | undefined {
  if (!success?.schema) return undefined
  const known = record && flattenSchema(document, record).properties
  const isOwnType = (name: string) => known?.has('attributes') === true && isFieldsOf(name, resource?.name ?? '')
  const found = operation.parameters.find(({ value, ...place }) => {
    const { name, in: at, description = '' } = value as typeof value & { description?: string }
    const isNamed = hasRole(name, 'fields') || hasRole(name, 'leftOut') || isOwnType(name)
    if (at !== 'query' || !isNamed) return false
    const { types } = flattenSchema(document, parameterSchema({ value, ...place }))
    return (isText({ types } as never) || types.has('array')) && (name === '$select' || saysChoice(description))
  })
  if (!found) return undefined
  const { name } = found.value
  const within = isOwnType(name) ? 'attributes' : bareName(name)
  const owner = known?.get(within)
  const inner = owner && flattenSchema(document, owner)
  return {
    parameter: name,
    ...(hasRole(name, 'leftOut') && { leavesOut: true as const }),
    // The properties of a record may be inside of one: `properties` in `{ id, properties: { … } }`.
    ...(inner?.types.has('object') && { inner: within }),
    ensure: ensures.add(success.schema),
  }
}
