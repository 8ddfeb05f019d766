/** Says what descriptions tell of requests that are refused, and of words in place of keys. */
import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { saysExisting, saysInvalid, saysTwice, saysUnauthorized, saysUnreadable } from '../lexicon/errors-in-texts.js'
import { saysUpdatesExisting } from '../lexicon/operation-names.js'
import { saysKeyWords } from '../lexicon/parameter-texts.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import type { Candidate } from './facts/candidate.js'
import { frameworkOf } from './frameworks.js'

export function findRefusals(document: OpenApiDocument, { operation, lines }: Candidate): void {
  const status = chooseInvalidStatus(operation)
  const { name, invalidStatus, checksPaths } = frameworkOf(document) ?? {}
  if (checksPaths && invalidStatus !== undefined && operation.responses.has(String(invalidStatus)))
    lines.add('invalidPath', '', invalidStatus, guess('habit', `${name} does so`))
  if (status !== undefined) lines.add('invalidStatus', '', status, guess('description', 'its responses say so'))
  else if (invalidStatus !== undefined && operation.body && !describesRefusal(operation))
    lines.add('invalidStatus', '', invalidStatus, guess('habit', `${name} does so`))
  const conflict = findConflictStatus(operation)
  if (conflict !== undefined) lines.add('conflictStatus', '', conflict, guess('description', 'its responses say so'))
  const existing = findExisting(operation)
  if (existing !== undefined) lines.add('existing', '', existing, guess('description', 'its response says so'))
  const { summary = '', description = '' } = operation.value as { summary?: string; description?: string }
  if (operation.method === 'POST' && saysUpdatesExisting(`${summary}. ${description}`)) {
    const upserts = operation.responses.has('404') ? 404 : true
    lines.add('upserts', '', upserts, guess('description', 'it says that it updates what exists'))
  }
  for (const { value } of operation.parameters) {
    const words = value.in === 'path' ? saysKeyWords(String(value.description ?? '')) : []
    if (words.length > 0) lines.add('keyWords', value.name, words, guess('description', 'its parameter says so'))
  }
}

/** Whether a response is about requests that break the contract. */
const describesRefusal = ({ responses }: DescribedOperation) =>
  ['400', '422', '4XX', 'default'].some((status) => responses.has(status))

/** 422 if only this status, or only its description, is about requests that break the contract. */
function chooseInvalidStatus({ responses }: DescribedOperation): number | undefined {
  const [bad, unprocessable] = ['400', '422'].map((status) => responses.get(status)?.value)
  if (!unprocessable) return undefined
  const [one, other] = [bad, unprocessable].map((response) => String(response?.description)) as [string, string]
  const isOther = saysUnreadable(one) || (saysInvalid(other) && (!saysInvalid(one) || saysUnauthorized(one)))
  return !bad || isOther ? 422 : undefined
}

/** The status of a conflict with what exists already, if another one than 409 is about that. */
function findConflictStatus({ responses }: DescribedOperation): number | undefined {
  const isTwice = (status: string) => {
    const { description, content } = responses.get(status)?.value ?? {}
    const shown = Object.values(content ?? {}).map(({ example, examples }) => toJson([example, examples]))
    return saysTwice(`${description}. ${shown.join(' ')}`)
  }
  const found = responses.has('409') ? undefined : ['400', '422', '403'].find(isTwice)
  return found === undefined ? undefined : Number(found)
}

/** The status of a creation that answers with the record that has the same value already. */
function findExisting({ method, responses }: DescribedOperation): number | undefined {
  const successes = [...responses].filter(([status]) => /^2\d\d$/.test(status))
  if (method !== 'POST' || successes.length < 2) return undefined
  const found = successes.find(([, { value }]) => saysExisting(String(value.description)))
  return found && Number(found[0])
}
