/** What the descriptions of parameters and properties say. */

/** The default number that a description says: "Defaults to 20" */
export function saysDefault(text: string): number | undefined {
  const [, number] = /\bdefaults?(?: value)?(?: is| to|:|=)?\s*(?:of )?[`"']?(\d{1,5})\b/i.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

/** The page size that the description of a page number says: "up to 100 contacts are returned". */
export function saysSize(text: string): number | undefined {
  const [, size] =
    /\b(?:up to|maximum of|at most|groups of) (\d{1,4})\b(?=[^.]{0,300}\b(return|page|time|call))/i.exec(text) ?? []
  const [, returned] =
    /\breturn(?:s|ed)?\b[^.]{0,300}\b(?:up to|maximum of|at most|groups of|set of up to) (\d{1,4})\b/i.exec(text) ?? []
  return Number(size ?? returned) || undefined
}

/** The number of the first page or record. */
export function saysFirstNumber(text: string): 0 | 1 | undefined {
  if (/\b(zero|0)[- ]?(based|indexed)|\b(start|begin)s? (at|from|with) (0|zero)\b|first page is (0|zero)\b/i.test(text))
    return 0
  return /\b(one|1)[- ]?(based|indexed)|\b(start|begin)s? (at|from|with) (1|one)\b/i.test(text) ? 1 : undefined
}

/** Whether a number is a moment: "updated after this timestamp (milliseconds since epoch)" */
export function saysMoment(text: string): boolean {
  return /\b(time ?stamp|epoch|unix time|since 1970)\b/i.test(text)
}

/** Whether a token is about pages. A token alone is a credential more often: with 7 of 8 providers. */
export function saysPaging(text: string): boolean {
  return /\b(next|pages?|paging|pagination|continu\w*)\b/i.test(text)
}

/** Whether a parameter chooses the properties of the answer: "A comma-separated list of the properties to return." */
export function saysChoice(text: string): boolean {
  const [first = ''] = text.split(/\.\s/)
  return choice.what.test(first) && choice.does.test(first) && !choice.others.test(first)
}

const choice = {
  what: /\b(fields?|propert(y|ies)|attributes?|columns?|selector)\b|\bcomma[- ]sep[ae]rated\b/i,
  does: /\b(only|partial|limits?|restricts?|reduces?|return(ed|s)?|includ(ed?|ing)|retrieve[ds]?|fetch(ed)?|respon(se|d)|output|display(ed)?|exclude[ds]?|omit(ted)?|select(ed|s)?)\b|\bcomma[- ]sep[ae]rated\b/i,
  others:
    /\b(additional(ly)?|also|extra|optionally|expand(ed)?|search(ed|es)?|filter|filters by|sort(ed)?|group(ed)?|metadata|export(ed)?|updated?|webhook|validat\w+|value)\b/i,
}

const without =
  /\b(if|when)\b[^.]{0,40}\b((not|isn't|aren't|no) (specified|provided|given|supplied|set)|omitted|absent|left (out|blank|empty)|unspecified)\b/i
const made = /\b(generat|creat|assign|made|default|automatic|us(ed|es)\b)/i

/** Whether a value is optional, or made by the service: "if not specified, it is generated". */
export function saysOptional(text: string): boolean {
  if (/^\W*optional\b|\bdefaults to\b|\bentirely optional\b/i.test(text)) return true
  return text.split('\n').some((line) => {
    const found = without.exec(line)
    return found !== null && made.test(line.slice(found.index + found[0].length))
  })
}

/** Words that stand for a record, and no names of parameters or properties. */
const standing =
  /^[@~]?(?:me|self|myself|default|current|latest|last|primary|root|main|(?:my|last|current|default|primary)[-_]\w+)$/i
/** What descriptions have around such words: `“last-used” can be used to specify the last used budget` */
const quoted = /[`"'“‘]([@~]?[a-z][\w-]{1,20})[`"'”’]/gi
const use = /\b(used?|uses|using|specif(?:y|ies)|keyword|special|alias|value|pass|provide|refers? to|authenticated)\b/i

/**
 * The words that callers may send in place of a key. Eight documents describe `me`, four `current`, three `latest`.
 * @example saysKeyWords('The user, or `me` as an alias') // ['me']
 */
export function saysKeyWords(text: string): string[] {
  return [...text.matchAll(quoted)].flatMap(({ 1: word = '', index }) => {
    const around = text.slice(Math.max(0, index - 60), index + 60)
    return standing.test(word) && use.test(around) ? [word] : []
  })
}

/** The two names that a description gives a value: "the ID or eventID of the message" */
export function saysEither(text: string): string[] {
  return /(?<!\w)(\w+)`? or (?:(?:the|its|their|an?) )?`?(\w+)/i.exec(text)?.slice(1) ?? []
}

/** The number of hexadecimal digits of a key: "24 character hex" */
export const saysDigits = (text: string): string | undefined =>
  /\b(\d{1,2})[- ](?:digit |character )?hex/i.exec(text)?.[1]
/** `The ID of the file, e.g. "file-abc123"` */
export const saysExample = (text: string): string | undefined =>
  /(?:\be\.g\.|\bfor example|\bexamples?\b|\bsuch as|\blike)[,:]?\s+[`"'“]([\w:-]{4,80})[`"'”]/i.exec(text)?.[1]
/** `An ID that begins with "cus_"` */
export const saysPrefix = (text: string): string | undefined =>
  /\b(?:begin|start|prefix)(?:s|ing|ning|ed)? (?:with|by) (?:the |a )?(?:prefix )?[`"'“]([a-z]{1,15}[_-])[`"'”]/i.exec(
    text,
  )?.[1]

/** Whether a text says that null removes a value: "null clears it" */
export function saysCleared(text: string): boolean {
  return /\bnull\b[^.;]{0,60}\b(clear|remov|unset|delet)|\b(clear|remov|unset|delet)\w*\b[^.;]{0,60}\bnull\b/i.test(
    text,
  )
}

/** Whether a text says that the last page has no next one: "null on the last page" */
export function saysNoNext(text: string): boolean {
  return /\b(null|absent|missing|left out|empty)\b[^.]{0,60}\b(last|final|no (further|more|next|other)|end)\b/i.test(
    text,
  )
}

/** Whether a text says that a value is there even if the request leaves it out. */
export function saysFilled(text: string): boolean {
  return /\balways (present|returned|set|shown|there)\b|\bif (it|this|none) (is|was) (not|n't) (sent|given|provided|present|set)\b/i.test(
    text,
  )
}

/** Whether a text says that texts are the same in upper and lower case. */
export function saysAnyCase(text: string): boolean {
  return /\bcase[- ]?insensitiv|\b(without regard|regardless|irrespective|whatever|ignor\w+|not distinguish\w*)\b[^.]{0,40}\bcase\b|\bcase\b[^.]{0,30}\b(ignored|not distinguished|does not matter)\b/i.test(
    text,
  )
}
