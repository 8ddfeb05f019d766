/** Finds the PUT operations that change only what is sent. By RFC 9110, section 9.3.4, a PUT replaces. */

import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { isUpdateWord } from '../lexicon/operation-names.js'
import { saysPartial, saysReplace, saysWhole } from '../lexicon/texts.js'
import { wordsOf } from '../lexicon/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'

/** Turns the replacements of a collection that only update into updates. */
export function findPartialUpdates(document: OpenApiDocument, group: KnownCollection): void {
  for (const candidate of group.members) {
    const { kind, isChosen, operation, decision, lines } = candidate
    const { method, path } = operation
    if (kind === 'replace' && lines.value('effect') === 'update') candidate.kind = 'update'
    if (kind !== 'replace' || isChosen || lines.get('effect')) continue
    if (method !== 'PUT' || !operation.body || isReplacement(candidate)) continue
    const isSaid = sentencesOf(candidate).some(saysPartial)
    if (!isSaid && !needsLess(document, candidate, group)) continue
    const why = isSaid
      ? 'its description says that the rest is kept'
      : 'its body does not require what a creation requires'
    candidate.kind = 'update'
    candidate.decision = { ...decision, effect: 'update', reason: `it updates what is sent: ${why}`, sure: 'medium' }
    group.lines.add('changes', `${method} ${path}`, 'update', guess(isSaid ? 'description' : 'schema', why))
  }
}

/** Whether the body of a replacement that is called an update need not have what a creation requires. */
function needsLess(
  document: OpenApiDocument,
  candidate: Candidate,
  { members, record, model }: KnownCollection,
): boolean {
  if (candidate.node.operations.some(({ method }) => method === 'PATCH') || !isCalledUpdate(candidate)) return false
  const creation = members.find(({ kind }) => kind === 'create')
  const [sent, created] = [candidate, creation].map((each) => {
    const request = each && findRequestRecord(document, each, record)
    return request && flattenSchema(document, request.schema)
  })
  if (!sent || !created || sent.properties.size === 0) return false
  const isOptional = (name: string) => sent.required.size === 0 || sent.properties.has(name)
  return [...created.required].some((name) => name !== model.key && !sent.required.has(name) && isOptional(name))
}

function isCalledUpdate({ decision: { facts } }: Candidate): boolean {
  return facts.verb === 'update' || [...facts.words].some(isUpdateWord)
}

/** Whether the operation is called a replacement, or described as one. */
function isReplacement(candidate: Candidate): boolean {
  const { called, value } = candidate.operation
  const { summary = '' } = value
  const sentences = sentencesOf(candidate)
  const names = [wordsOf(called).join(' '), summary, sentences[0] ?? '']
  return names.some(saysReplace) || sentences.some(saysWhole)
}

function sentencesOf({ operation: { value, body } }: Candidate): string[] {
  const described = [value, body?.value ?? {}].flatMap((each) => ('description' in each ? [each.description] : []))
  return [...described, value.summary].flatMap((text) =>
    typeof text === 'string'
      ? text.replace(/\s+/g, (blank) => (blank.split('\n').length > 2 ? '. ' : ' ')).split(/[.!?;](?=\s|$)/)
      : [],
  )
}
