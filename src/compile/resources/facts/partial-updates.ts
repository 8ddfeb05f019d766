/** Finds the PUT operations that change only what is sent. By RFC 9110, section 9.3.4, a PUT replaces. */

import type { Located, MediaTypeObject, OpenApiDocument } from '../../../document/document.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../../../schemas/flatten-schema.js'
import { wordsOf } from '../../../values/words.js'
import { jsonContent } from '../../describe-operations.js'
import { chooseSuccess } from '../../operations/choose-success.js'
import { recordContent } from '../../operations/compile-representations.js'
import { exampleOf } from '../../samples/sample.js'
import type { Group } from '../effects/compile-scope.js'
import type { Candidate } from './candidate.js'
import { addFact, type ResourceFact } from './evidence.js'
import { findRequestRecord } from './request-record.js'

/** Turns the replacements of a collection that only update into updates. */
export function findPartialUpdates(document: OpenApiDocument, group: Group): void {
  for (const candidate of group.members) {
    const { kind, isChosen, operation, decision, corrected } = candidate
    const { method, path } = operation
    if (kind === 'replace' && corrected?.effect === 'update') candidate.kind = 'update'
    if (kind !== 'replace' || isChosen || corrected?.effect !== undefined) continue
    if (method !== 'PUT' || !operation.body || saysReplace(candidate)) continue
    const found = whyPartial(document, candidate, group)
    if (!found) continue
    candidate.kind = 'update'
    const reason = `it updates what is sent: ${found.why}`
    candidate.decision = { ...decision, effect: 'update', reason, sure: 'medium' }
    addFact(group.facts, { fact: 'change', about: `${method} ${path}`, ...found })
  }
}

function whyPartial(
  document: OpenApiDocument,
  candidate: Candidate,
  { members, record, model }: Group,
): Pick<ResourceFact, 'evidence' | 'why'> | undefined {
  const requestOf = ({ operation, pointer }: Candidate) => findRequestRecord(document, operation, pointer, record)
  const request = requestOf(candidate)
  const sent = request && flattenSchema(document, request.schema)
  const own = flattenSchema(document, candidate.record ?? record)
  if (request && sent && leavesOut(document, candidate, request.given, [sent, own]))
    return { evidence: 'example', why: 'its example leaves out properties that the example of its answer has' }
  const hasPatch = candidate.node.operations.some(({ method }) => method === 'PATCH')
  const creation = hasPatch ? undefined : members.find(({ kind }) => kind === 'create')
  const created = creation && requestOf(creation)
  if (sent && created && sent.properties.size > 0 && isCalledUpdate(candidate)) {
    const { required, properties } = flattenSchema(document, created.schema)
    const others = (names: Iterable<string>) => [...names].filter((name) => name !== model.key)
    const isOptional = (name: string) => sent.required.size === 0 || sent.properties.has(name)
    if (others(required).some((name) => !sent.required.has(name) && isOptional(name)))
      return { evidence: 'schema', why: 'its body does not require what a creation requires' }
    const isLost = (name: string) => own.properties.has(name) && !sent.properties.has(name)
    if (sent.required.size === 0 && others(properties.keys()).some(isLost))
      return { evidence: 'schema', why: 'its body has only a part of what a creation has' }
  }
  const isSaid = sentencesOf(candidate).some((each) =>
    partial.some((phrases) => phrases.every((one) => one.test(each))),
  )
  return isSaid ? { evidence: 'description', why: 'its description says that the rest is kept' } : undefined
}

/** Whether the example of a request lacks writable properties that records must have, and the one of the answer not. */
function leavesOut(
  document: OpenApiDocument,
  { operation, pointer }: Candidate,
  given: readonly string[],
  [sent, own]: [FlatSchema, FlatSchema],
): boolean {
  const response = chooseSuccess(operation)?.response
  const answer = response && jsonContent(response.value.content, response.path)
  const request = partOf(document, recordContent(document, operation), given)
  const shown = partOf(document, answer, pointer)
  if (!isObject(request) || !isObject(shown)) return false
  return [...own.required].some((name) => {
    const schema = sent.properties.get(name)
    const isWritable = schema !== undefined && !hasFlag(document, schema, 'readOnly')
    return isWritable && Object.hasOwn(shown, name) && !Object.hasOwn(request, name)
  })
}

function partOf(
  document: OpenApiDocument,
  media: Located<MediaTypeObject> | undefined,
  names: readonly string[],
): unknown {
  const example = media && exampleOf(document, media)
  return names.reduce((value, name) => (isObject(value) ? ownValue(value, name) : undefined), example)
}

function isCalledUpdate({ decision: { facts } }: Candidate): boolean {
  return facts.verb === 'update' || [...facts.words].some((word) => /^(update|edit|change|modif(y|ie))s?$/.test(word))
}

const replacing = /\b(replac(e[sd]?|ing|ement)|overwr(ites?|iting|itten))\b/i
/** What a description says of requests that have everything. */
const complete =
  /\b(full|complete|entire|whole) (representation|replacement)\b|\bmust (include|contain|have|send) all\b/i

/** Whether the operation is called a replacement, or described as one. */
function saysReplace(candidate: Candidate): boolean {
  const { operationId = '', summary = '' } = candidate.operation.value
  const sentences = sentencesOf(candidate)
  const names = [wordsOf(operationId).join(' '), summary, sentences[0] ?? '']
  return names.some((each) => replacing.test(each)) || sentences.some((each) => complete.test(each))
}

/** Phrases that together say that a request need not have all properties. */
const partial: readonly (readonly RegExp[])[] = [
  [/\bpartial(ly)?\b/i, /\b(updat|chang|modif)/i],
  [/\bonly (need|have) to (provide|send|specify|include|pass|set)\b/i],
  [
    /\bonly (the )?(fields|properties|attributes|values|parameters|keys)\b/i,
    /\b(provided|sent|specified|included|supplied|given|present|passed)\b/i,
    /\b(updated|changed|modified|written|affected|replaced)\b/i,
  ],
  [
    /\b(omit(s|ted|ting)?|unspecified|missing|absent|left out|leave out)\b|n[o']t (be )?(sen[dt]|provide|specif|includ|suppl|given|present|pass)/i,
    /\b(unchanged|untouched|unmodified|unaffected|kept|keep|preserved?|retain(ed)?|remain)\b|\bas (it|they) (is|are|was|were)\b|\bnot (be )?(changed|modified|updated|touched|affected)\b/i,
  ],
]

function sentencesOf({ operation: { value, body } }: Candidate): string[] {
  const described = [value, body?.value ?? {}].flatMap((each) => ('description' in each ? [each.description] : []))
  return [...described, value.summary].flatMap((text) =>
    typeof text === 'string'
      ? text.replace(/\s+/g, (blank) => (blank.split('\n').length > 2 ? '. ' : ' ')).split(/[.!?;](?=\s|$)/)
      : [],
  )
}
