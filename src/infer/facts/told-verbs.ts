/** Reads the verbs of an action from its description, where these are about the record: `end` of `Ends an active lease`. */

import type { OpenApiDocument } from '../../document/document.js'
import { isOwnStateName } from '../../lexicon/stages.js'
import { mostSearched, nounOf, ownerOfReference, singular, wordsOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { KnownCollection } from '../collection.js'

/** Characters of the longest sentence that is read, because the pattern takes long for what is none. */
const maxSentence = 1000
const follows = "states?|status|can|cannot|can't|may|must|will|is|are|to|before|so|when|and|or|if|because"

export function verbsTold(document: OpenApiDocument, operation: DescribedOperation, group: KnownCollection): string[] {
  const { properties } = flattenSchema(document, group.record)
  const states = [...properties].filter(([name]) => isOwnStateName(name))
  const values = states.flatMap(([, schema]) => flattenSchema(document, schema).keywords.enum ?? []).map(String)
  const says = toPattern(group, values)
  return sentencesOf(operation.value).flatMap((each) => {
    const [, verb] = says.exec(each) ?? []
    return verb === undefined ? [] : singular(verb.toLowerCase())
  })
}

function sentencesOf({ summary = '', description = '' }: { summary?: string; description?: string }): string[] {
  const plain = `${summary}. ${description}`.replace(/<br ?\/?>|<\/(?:p|li)>/gi, '. ').replace(/<\/?code>/gi, '`')
  const parts = plain.split(/[.!?;](?=\s|$)|\n\s*(?:\n|[-*] )/)
  const sentences = parts.map((each) => each.replace(/\s+/g, ' ').trim())
  return sentences.filter((each) => each.length <= maxSentence)
}

/** `Ends the active lease`, ``Moves out a `moved out` or ended tenant``. States may be in quotes, and with other separators. */
function toPattern({ resource, record }: KnownCollection, values: readonly string[]): RegExp {
  const quote = '[`\'"*]*'
  const known = values.filter((each) => each.length <= mostSearched && /[a-z]{3}/i.test(each)).slice(0, 50)
  const forms = known.toSorted((a, b) => b.length - a.length).map((each) => wordsOf(each).join('[ _-]?'))
  const state = `${quote}(?<![\\w-])(?:${forms.join('|') || '(?!)'})s?(?![\\w-])${quote}`
  const names = [resource?.name ?? '', ownerOfReference(`#/${record.path.join('/')}`) ?? ''].map(nounOf)
  const nouns = names
    .filter((each) => each !== '' && each.length <= mostSearched)
    .map((each) => `${each.replace(/y$/, '(?:y|ie)')}(?:e?s)?`)
  const end = `(?=${quote}(?:$|[,.;:()]| (?:${follows}|for|at|by|in|with|on|that|which|whose)\\b))`
  const noun = `\\b(?:${nouns.join('|') || '(?!)'})\\b${end}`
  return new RegExp(`^([a-z]+) (?:an?|the|this) (?:${state}(?:(?:,? (?:or|and)|,|/) ?${state})* )?${noun}`, 'i') // unmeasured: words of names, in sentences up to `maxSentence`
}
