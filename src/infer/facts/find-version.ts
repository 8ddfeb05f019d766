/** Finds numbers that count the changes of a record. */
import { isVersionName } from '../../lexicon/numbers.js'
import { saysVersion } from '../../lexicon/texts.js'
import type { FlatSchema } from '../../schemas/flatten-schema.js'

/** Whether a number counts the changes of a record. @param isSent whether callers may send it: then its description has to say so */
export function isVersion(name: string, { types, keywords }: FlatSchema, isSent: boolean): boolean {
  if (types.has('string') || !types.has('integer') || keywords.enum || !isVersionName(name)) return false
  return !isSent || saysVersion(String(keywords.description ?? ''))
}
