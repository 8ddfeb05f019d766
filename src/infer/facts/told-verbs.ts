/** Reads the verbs of an action from its description, where these are about the record: `end` of `Ends an active lease`. */

import type { OpenApiDocument } from '../../document/document.js'
import { verbPattern } from '../../lexicon/operation-names.js'
import { isOwnStateName } from '../../lexicon/stages.js'
import { nounOf, ownerOfReference, singular } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { KnownCollection } from '../collection.js'

/** Characters of the longest sentence that is read, because the pattern takes long for what is none. */
const maxSentence = 1000

export function verbsTold(document: OpenApiDocument, operation: DescribedOperation, group: KnownCollection): string[] {
  const { properties } = flattenSchema(document, group.record)
  const states = [...properties].filter(([name]) => isOwnStateName(name))
  const values = states.flatMap(([, schema]) => flattenSchema(document, schema).keywords.enum ?? []).map(String)
  const names = [group.resource?.name ?? '', ownerOfReference(`#/${group.record.path.join('/')}`) ?? '']
  const says = verbPattern(names.map(nounOf), values)
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
