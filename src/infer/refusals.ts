/** Says what descriptions tell of requests that are refused, and of words in place of keys. */
import { guess } from '../behaviour/line.js'
import { saysInvalid, saysUnreadable } from '../lexicon/errors-in-texts.js'
import { saysKeyWords } from '../lexicon/parameter-texts.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import type { Candidate } from './facts/candidate.js'

export function findRefusals({ operation, lines }: Candidate): void {
  const status = chooseInvalidStatus(operation)
  if (status !== undefined) lines.add('invalidStatus', '', status, guess('description', 'its responses say so'))
  for (const { value } of operation.parameters) {
    const words = value.in === 'path' ? saysKeyWords(String(value.description ?? '')) : []
    if (words.length > 0) lines.add('keyWords', value.name, words, guess('description', 'its parameter says so'))
  }
}

/** 422 if only this status, or only its description, is about requests that break the contract. */
function chooseInvalidStatus({ responses }: DescribedOperation): number | undefined {
  const [bad, unprocessable] = ['400', '422'].map((status) => responses.get(status)?.value)
  if (!unprocessable) return undefined
  const [one, other] = [bad, unprocessable].map((response) => String(response?.description)) as [string, string]
  return !bad || saysUnreadable(one) || (saysInvalid(other) && !saysInvalid(one)) ? 422 : undefined
}
