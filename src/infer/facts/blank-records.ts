/** Records of which only requests say what they have: the answers may be anything, or any object. */

import { isJson } from '../../contract/http/media-types.js'
import type { OpenApiDocument, Schema } from '../../document/document.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { examplesAt } from '../../schemas/examples.js'
import { flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import { contentOf } from '../../schemas/operations/example-places.js'
import type { FoundSuccess } from '../../schemas/operations/find-success.js'
import type { Candidate } from './candidate.js'

/** Any object, for answers without a schema. */
const anyObject: Schema = { type: 'object' }

/** Lets operations show what is kept where their answers are not described, in collections that requests write. */
export function fillBlanks(document: OpenApiDocument, candidates: readonly Candidate[]): Candidate[] {
  const byPath = new Map<string, Candidate[]>()
  for (const each of candidates) if (each.resource) getOrInsert(byPath, each.path, () => []).push(each)
  const filled = new Map<Candidate, Candidate>()
  for (const members of byPath.values()) {
    if (!members.some(isBlankCreation) || members.some(isDescribed)) continue
    for (const each of members) filled.set(each, fillOne(document, each))
  }
  return candidates.map((each) => filled.get(each) ?? each)

  function isDescribed({ record }: Candidate): boolean {
    return record !== undefined && flattenSchema(document, record).properties.size > 0
  }
}

function isBlankCreation({ decision: { effect, facts, resource }, success }: Candidate): boolean {
  const isSent = facts.body.flat !== undefined && isObjectSchema(facts.body.flat)
  return effect === 'create' && resource?.kind === 'collection' && isSent && !facts.body.isFile && isBlank(success)
}

function isBlank(success: FoundSuccess | undefined): boolean {
  if (!success?.mediaType || !isJson(success.mediaType)) return false
  const { flat } = success
  if (!flat) return true
  const { additionalProperties = true } = flat.keywords
  const isOpen = additionalProperties === true && !limits.some((keyword) => keyword in flat.keywords)
  return isObjectSchema(flat) && flat.properties.size === 0 && isOpen
}

/** What may not leave room for all that is sent, or for a key. */
const limits = ['patternProperties', 'propertyNames', 'maxProperties', 'unevaluatedProperties', 'not', 'oneOf', 'anyOf']

function fillOne(document: OpenApiDocument, candidate: Candidate): Candidate {
  const { decision, success, parameter, isChosen } = candidate
  const { effect, facts } = decision
  const item = effect === 'list' && facts.list ? facts.list.item : undefined
  const isAnyItem = item && flattenSchema(document, item).types.size === 0
  const isObject = success?.schema !== undefined
  const isBare = effect === 'list' && !isObject && !showsObject(document, candidate)
  const isShown = isBlank(success) && (effect === 'create' || parameter !== undefined || isBare)
  if (isChosen || effect === 'remove' || (!isShown && !isAnyItem)) return { ...candidate, isBlank: true }
  const schema = isObject ? success.schema : undefined
  const record = item ?? schema ?? { value: anyObject, path: [...facts.operation.at, 'undescribed'] }
  return { ...candidate, kind: effect, record, pointer: item ? candidate.pointer : [], isBlank: true }
}

/** Whether the example of an answer without a schema is an object. */
function showsObject(document: OpenApiDocument, candidate: Candidate): boolean {
  const path = contentOf(candidate)
  const [shown] = path ? examplesAt(document, { path, is: 'record' }) : []
  return isObject(shown) && !Array.isArray(shown)
}
