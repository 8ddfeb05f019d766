/** Finds the parameter by which a request chooses the properties that an answer shows. */
import type { PropertyChoice } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { bareName, isSameName } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import type { Candidate } from '../facts/candidate.js'
import { isText } from './query-parameters.js'

/** 48 of 70 providers with such a parameter describe it as the properties of the answer. */
const names =
  /^(opt|response|results?|return(ed)?|output|only|select(ed)?)?(fields|properties|attributes|columns|fieldset|fieldslist|fieldlist|fields?mask)$|^select$/
/** For each type of records (JSON:API 1.1, section 6.3): `fields[books]` */
const ofType = /^fields\[([\w-]+)\]$/
const excluding = /^(exclude|excluded|omit)(fields|properties|attributes)$/
/** What the first sentence of its description says: "A comma-separated list of the properties to return." */
const what = /\b(fields?|propert(y|ies)|attributes?|columns?|selector)\b|\bcomma[- ]sep[ae]rated\b/i
const does =
  /\b(only|partial|limits?|restricts?|reduces?|return(ed|s)?|includ(ed?|ing)|retrieve[ds]?|fetch(ed)?|respon(se|d)|output|display(ed)?|exclude[ds]?|omit(ted)?|select(ed|s)?)\b|\bcomma[- ]sep[ae]rated\b/i
const others =
  /\b(additional(ly)?|also|extra|optionally|expand(ed)?|search(ed|es)?|filter|filters by|sort(ed)?|group(ed)?|metadata|export(ed)?|updated?|webhook|validat\w+|value)\b/i

export function compileChoice(
  document: OpenApiDocument,
  ensures: EnsureCompiler,
  { operation, success, record, resource }: Candidate,
): PropertyChoice | undefined {
  if (!success?.schema) return undefined
  const known = record && flattenSchema(document, record).properties
  const isOwnType = (name: string) => {
    const type = ofType.exec(name)?.[1]
    return type !== undefined && known?.has('attributes') === true && isSameName(type, resource?.name ?? '')
  }
  const found = operation.parameters.find(({ value, ...place }) => {
    const { name, in: at, description = '' } = value as typeof value & { description?: string }
    const isNamed = names.test(bareName(name)) || excluding.test(bareName(name)) || isOwnType(name)
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
    ...(excluding.test(bareName(name)) && { leavesOut: true as const }),
    // The properties of a record may be inside of one: `properties` in `{ id, properties: { … } }`.
    ...(inner?.types.has('object') && { inner: within }),
    ensure: ensures.add(success.schema),
  }
}

function saysChoice(description: string): boolean {
  const [first = ''] = description.split(/\.\s/)
  return what.test(first) && does.test(first) && !others.test(first)
}
