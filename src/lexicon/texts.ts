/** What descriptions say: one function per question. */

/** Whether a description says that a value is a name, and not an identifier. */
export function saysName(text: string): boolean {
  return /\bname\b/i.test(text) && !/\b(ids?|identifiers?|numbers?|keys?)\b/i.test(text)
}

const replacing = /\b(replac(e[sd]?|ing|ement)|overwr(ites?|iting|itten))\b/i
/** What a description says of requests that have everything. */
const complete =
  /\b(full|complete|entire|whole) (representation|replacement)\b|\bmust (include|contain|have|send) all\b/i

/** Whether a name or a summary says that a request replaces the record. */
export function saysReplace(text: string): boolean {
  return replacing.test(text)
}

/** Whether a sentence says that a request must have everything. */
export function saysWhole(sentence: string): boolean {
  return complete.test(sentence)
}

/** Phrases that together say that a request need not have everything, and that the rest is kept. */
const partial: readonly (readonly RegExp[])[] = [
  [/\bpartial(ly)?\b/i, /\b(updat|chang|modif)/i],
  [/\bonly (need|have) to (provide|send|specify|include|pass|set)\b/i],
  [
    /\bonly (the )?(fields|properties|attributes|values|parameters|keys)\b.*\b(provided|sent|specified|included|given)\b/i,
  ],
  [
    /\b(omitted|unspecified|missing|absent|left out)\b|\bnot (be )?(sent|provided|specified|included|given)\b/i,
    /\b(unchanged|untouched|kept|preserved|retained|remains?)\b|\bas (it|they) (is|are|was|were)\b/i,
  ],
]

/** Whether a sentence says that a request need not have everything, and that the rest is kept. */
export function saysPartial(sentence: string): boolean {
  return partial.some((phrases) => phrases.every((phrase) => phrase.test(sentence)))
}

/** Whether a description says that not every record has a value, or that nobody sees it. */
export function saysSome(text: string): boolean {
  return /\b(if|never|hash(ed)?|optional)\b/i.test(text)
}

/** Whether a value is only shown once. @example saysOnce('Only returned when the key is created') // true */
export function saysOnce(text: string): boolean {
  return /\b(only|just)\b[^.]{0,40}\b(returned|shown|displayed|visible|included|available)\b[^.]{0,40}\b(once|creat\w+)\b|\b(returned|shown|displayed|visible|available) (to you )?only (once|when|on|upon|at)\b/i.test(
    text,
  )
}

/** Whether no two records have the same value. */
export function saysUnique(text: string): boolean {
  return /\b(must|has to|have to|needs to|should) be (\w+ly )?unique\b|^\W*((a|the) )?unique (?!(id\b|identifier))|\b(is|are) (\w+ly )?unique\b/i.test(
    text,
  )
}

/** Whether a refusal is about a value that another record has. */
export function saysConflict(text: string): boolean {
  return /exist|taken|in use|duplicat|conflict|unique/i.test(text)
}

/** Whether a text says that a record does not exist. */
export function saysMissing(text: string): boolean {
  return /\b(unknown|non-?existent|non-?existing|no such|invalid \w+ (id|reference)|(not|never|n't) (be )?(found|exists?|known)|cannot be found)\b/i.test(
    text,
  )
}

/** Whether a description only repeats what 404 means. */
export function saysOnlyMissing(text: string): boolean {
  return /^\W*(404\W*)?(not found)?\W*$/i.test(text)
}

/** Whether a description says that a number counts something. */
export function saysCount(text: string): boolean {
  return /^(the )?(current |total )*(number|count) of\b/i.test(text)
}

/** Whether there is no value at first: `No default is given`, `null until it is sent` */
export function saysNone(text: string): boolean {
  return /\bno (default|initial)\b|\b(empty|null|unset|absent|not set)\b/i.test(text)
}

/** Whether a number goes up with each change. */
export function saysVersion(text: string): boolean {
  return /\b(increment|increas|optimistic|concurren|each (time|update|change)|every (time|update|change))/i.test(text)
}

/** Whether a state is said to be the first one. */
export function saysFirst(text: string): boolean {
  return /\b(default|initial|initially|newly created|just (been )?created|upon creation|after creation|when (it|a|an|the)\b[^.]{0,40}\bcreated)\b/i.test(
    text,
  )
}

/** Whether a record is said to belong to another one. */
export function saysBelonging(text: string): boolean {
  return /\b(associated with|belongs? to|attached to)\b/i.test(text)
}

/** Whether an address is said to be that of the record itself. */
export function saysSelf(text: string): boolean {
  return /\b(self|canonical|unique|resource)\b.{0,60}\b(url|uri|link|href)\b|\b(url|uri|link)\b.{0,60}\b(of|to|for) (the|this) (resource|object|record|item)\b/i.test(
    text,
  )
}

/** Whether a value that is not sent is the key of its record: "If you do not provide one, it is the generated ID" */
export function saysOwnKey(text: string): boolean {
  return /\b(not (provide|specify|set|give|send)|omitted|defaults? to)\b[^.]*\b(generated|its( own)?) \[?`?(id|identifier)\b/i.test(
    text,
  )
}

/** `'auto' is the default value` */
const defaultBefore = /[`"'*]{1,3}([\w.-]{1,60})[`"'*]{1,3} is the default\b/i
/** `Defaults to true`, `default: "open"`, `The default is 'auto'` */
const defaultBehind = /\bdefaults?(?: value)?(?:\s+(?:to|is|as)|\s*[:=])\s*[`"'*]*([\w.-]+)/i

/** The default that a description names, as it is written. */
export function saidDefault(text: string): string | undefined {
  return (defaultBehind.exec(text) ?? defaultBefore.exec(text))?.[1]?.replace(/\.$/, '')
}

/** The values that a description lists in quotes, else the words in capitals. */
export function listedIn(text: string): { quoted: string[]; capitals: string[] } {
  const quoted = [...text.matchAll(/[`"'*]([A-Za-z][\w -]{1,30})[`"'*]/g)].map(([, value]) => value ?? '')
  return { quoted, capitals: text.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? [] }
}

const nothing = '\\b(null|(empty|blank) (value|string|text))\\b'
const removing = '\\b(unset|remov|delet|clear)'
const one = '\\b(key|entry|entries|item|pair|propert|label|field|value|tag|attribute)'
const merging = [
  new RegExp(`(?<![^.])(?=[^.]*${one})(?=[^.]*${removing})[^.]*${nothing}`, 'i'),
  /\b(is|are|be|get|gets) merged\b|\bmerged? (in)?to\b|\bmerge[sd]? with\b/i,
  /\b(other|existing|unspecified|remaining|omitted) (keys|entries|items|pairs|labels|properties|values|tags)\b[^.]{0,300}\b(kept|unchanged|remain|preserved|untouched|not (be )?(affected|changed|removed|deleted))\b/i,
]
/** Whether a description says that keys of an object are changed one by one. */
export const saysMerged = (text: string): boolean => merging.some((phrase) => phrase.test(text))
/** Whether it says that an empty text removes a key. */
export const saysEmpty = (text: string): boolean => /\b(empty|blank) (value|string|text)\b/i.test(text)

/** Whether a request takes a record from others: "removes it from its current team" */
export const saysMoved = (text: string): boolean =>
  /\bremoves? (it|the \w+) from (all )?(other|the previous|its current)\b/i.test(text)
export const saysReadOnly = (text: string): boolean => /^\W*(output[ -]only|read[ -]?only)\b/i.test(text)
/** Whether a key is unique in the way of a UUID (RFC 9562, section 1). */
export const saysUuid = (text: string): boolean =>
  /\bunique (in|across) (both )?(time and space|space and time)\b/i.test(text)
/** Whether a service makes a value. */
export const saysMade = (text: string): boolean => /\b(generated|assigned|unique)\b/i.test(text)
