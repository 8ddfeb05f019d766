/** Finds the documented refusal of a request that refers to a record which does not exist. */

import type { UnknownStatus } from '../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../document/document.js'
import { isObject } from '../../json/own-value.js'
import { endsLikeKey } from '../../lexicon/keys.js'
import { saysMissing } from '../../lexicon/texts.js'
import { singular, wordsOf } from '../../lexicon/words.js'
import { examplesAt } from '../../schemas/examples.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'

const statuses = [404, 422, 400] as const

/** @param names of the property with the key, of the one with the record, and of its collection */
export function findUnknownStatus(
  document: OpenApiDocument,
  { path, responses }: DescribedOperation,
  names: readonly string[],
): UnknownStatus | undefined {
  // What the path names is missing for another reason.
  const inPath = new Set(wordsOf(path).map(singular))
  const nouns = names.flatMap((name) => {
    const all = wordsOf(name)
    const words = (all.length > 1 && endsLikeKey(name) ? all.slice(0, -1) : all).map(singular)
    const isOwn = words.length === 0 || inPath.has(words.at(-1) ?? '') || endsLikeKey(words.at(-1) ?? '')
    return isOwn ? [] : [words]
  })
  return statuses.find((status) => {
    const response = responses.get(String(status))
    if (!response) return false
    const { description, content = {} } = response.value
    const examples = Object.keys(content).flatMap((type) =>
      examplesAt(document, { path: [...response.path, 'content', type], pointer: [], is: 'record' }),
    )
    const said = sentencesOf(description).filter((text) => status === 404 || saysMissing(text))
    const shown = textsIn(examples)
      .flatMap(sentencesOf)
      .filter((text) => saysMissing(text))
    return [...said, ...shown].some((text) => namesOne(text, nouns, inPath))
  })
}

/** Whether a sentence names one of the nouns, and not as a part of what the path names: `customer order`. */
function namesOne(sentence: string, nouns: readonly string[][], inPath: ReadonlySet<string>): boolean {
  const words = wordsOf(sentence).map(singular)
  return words.some((_, at) =>
    nouns.some(
      (noun) => noun.every((word, index) => words[at + index] === word) && !inPath.has(words[at + noun.length] ?? ''),
    ),
  )
}

function sentencesOf(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/[.;\n]/) : []
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : []
}
