/** Finds texts that fit the name and the description of a property. */

import type { Recipe } from '../json/sampler/value-looks.js'
import { countedIn } from '../lexicon/numbers.js'
import { ownerWords } from '../lexicon/words.js'
import * as things from './names-of-things.js'
import { date, digits, letters, many, number, oneOf, rangeOf } from './recipe.js'
import type { Make } from './text-table.js'
import * as table from './text-table.js'
import * as lists from './word-lists.js'

const { email, explanation, failure, findName, ipv4, nameOf, person, phone, phraseOf, remark, uri, uuid, word } = things
const { about, code, flag, format, hexadecimal, html, kind, level, reference, saying, size, status, timeOf } = table

/** Generic texts. Texts of the document are better. */
const vague = new Set<Make>([
  ...[failure, remark, reference, status, kind, level, code, flag, word, size, html, format, saying, about],
])

/** Texts that rarely fit, where the name is all that is known. */
const guessed = new Set<Make>([failure, kind, level, code, word, size, html, format, table.unit])
/** Owners of what a program says when it fails. */
const isTrouble = /\b(error|failure|exception|warning|problem)$/
/** Owners of what people say to each other. */
const isTalk = /\b(comment|message|review|feedback|reply|chat|conversation|thread|answer|question|testimonial)s?\b/

/** Owners of what people think of something. */
const isOpinion = /\b(review|rating|testimonial|feedback)$/

/** Makers by words in descriptions, for unknown names. The first match counts. */
const byDescription: readonly (readonly [RegExp, Make])[] = [
  [/\b(ISO[- ]?8601|RFC[- ]?3339|timestamp|date and time|date-time|datetime)\b/i, timeOf],
  [/\b(unix|epoch)\b/i, ['17', { words: ['40', '45', '50', '55', '60'] }, many(digits, 6)]],
  [/\bE\.?164\b|\b(phone|telephone) number\b/i, phone],
  [/\be-?mail address\b/i, email],
  [/\b(URL|URI|web address|hyperlink)\b/, uri],
  [/\bIP address\b/i, ipv4],
  [/\bHTTP (methods?|verbs?)\b/i, oneOf('GET POST PATCH DELETE')],
  [/\bISO[- ]?639\b|\blanguage codes?\b/i, oneOf('en de fr es it pt nl')],
  [/\bISO[- ]?4217\b|\bcurrency code\b/i, oneOf(lists.currencies)],
  [/\bISO[- ]?3166\b|\bcountry code\b/i, oneOf([...new Set(lists.places.map(({ countryCode }) => countryCode))])],
  [/\bUUID\b|\bGUID\b/, uuid],
  [/\bSHA-?256\b/i, hexadecimal(64)],
  [/\bbase ?64\b/i, [many(letters + digits, 24)]],
  [/^(the |an? )?(unique |internal |external )*(id|identifier)\b/i, hexadecimal(12)],
  [/^(the |an? )?(full |display )?name of (the |an? )?(person|user|customer|author)\b/i, person],
  [/^(the |an? )?date\b/i, (words) => date(rangeOf(words))],
  [/^(the |an? )?time\b/i, timeOf],
  [/^(the |an? )?(number|count|amount of|total number)\b/i, size],
  [/\b(true|false)\b.*\b(true|false)\b/i, flag],
  [/^(the |an? )?(text|message|comment)\b/i, remark],
]

const resolved = (make: Make | undefined, words: string, owner: string) =>
  typeof make === 'function' ? make(words, owner) : make

/** Finds the recipe for a description. @param words of the name */
export function findByDescription(description: string, words: string, owner: string): Recipe | undefined {
  // The kind of a thing is not the thing.
  if (/\b(type|kind|status|state|label|format|mode)$/.test(words)) return undefined
  const make = byDescription.find(([pattern]) => pattern.test(description))?.[1]
  if (make) return resolved(make, words, owner)
  const head = headOf(description)
  const said = isForm.test(head) ? undefined : findText(head, owner)
  return said && !said.isVague && !said.isGuess ? said.recipe : undefined
}

/** Words that say in which form something is, but not what it is. */
const isForm =
  /^(must|should|can|may|will|if|when|sets?|used?|required|optional|only|not|is|are|gets?|specif\w+|represents|contains|indicates|whether|how|what|which)\b|\b(name|title|label|id|identifier|value|type|kind|text|string|list|number|code|key|information|item|object|entry|record|element|property|field|data|metadata|info|details|set|group|status|state|reference|content|attribute|parameter|resource)$/

/** What a description says first: `license plate` for `The license plate of the car.` */
function headOf(description: string): string {
  const [, head = ''] =
    /^\W*\b(?:(?:the|an?|this|your|its)\b )?((?:[\w/-]+ ){0,3}?[\w/-]+)(?=$|[.,;:(\n]| (?:of|for|to|in|on|at|that|which|with|when|where|used|by|from|as|is)\b)/i.exec(
      description.trim(),
    ) ?? []
  return ownerWords(head.replaceAll('/', ' '))
}

/** The text of a time in a notation that a description names: `YYYY-MM-DD`, `YmdHis` */
export function timeFormIn(description: string): string | undefined {
  if (/\bYmdHis\b/.test(description)) return '{Y}{M}{D}{h}{m}{s}'
  for (const [pattern, form] of notations) {
    const { between = '', clock = '', colon = '', seconds = '' } = pattern.exec(description)?.groups ?? {}
    if (!pattern.test(description)) continue
    const time = clock === '' ? '' : `${/^[T ]?/.exec(clock)?.[0]}{h}${colon}{m}${seconds && `${colon}{s}`}`
    return form.replaceAll('-', between) + time
  }
  return undefined
}

const clockForm = String.raw`(?<clock>[T ]?\[?hh(?<colon>:?)mm(?<seconds>\k<colon>ss)?)?`
const notations = [
  [String.raw`\b[yc]{4}(?<between>[-/.]?)mm\k<between>dd`, '{Y}-{M}-{D}'],
  [String.raw`\bdd(?<between>[-/.]?)mm\k<between>yyyy`, '{D}-{M}-{Y}'],
  [String.raw`\bmm(?<between>[-/.]?)dd\k<between>[yc]{4}`, '{M}-{D}-{Y}'],
].map(([date = '', form = '']) => [new RegExp(date + clockForm, 'i'), form] as const)

/** Says that values follow. */
const announces =
  /\b(one of|either|values?|can be|possible|valid|allowed|supported|options?|e\.g|such as|for example|currently|always|must be)\b/i
const listOfCapitals =
  /\b(?:[Oo]ne of|[Ee]ither|[Mm]ust be|[Cc]an be|[Vv]alues?(?: are| is)?|[Oo]ptions(?: are)?)[: ]+([A-Z][A-Z_]+(?:(?:, |,? or |,? and )[A-Z][A-Z_]+)+)\b/
/** Nothing but words: `planned, held, missed`, `One of: low, high` */
const listOfWords =
  /^(?:(?:one of|either|values?|allowed values?|possible values?|can be|must be)(?: are)?:? )?([a-z][\w-]*(?:(?:, ?| ?\| ?| or |, or )[a-z][\w-]*(?: [\w-]+)?){1,9})\.?$/i
const straight = (text: string) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")
const quotedText = /(?<!\w)(['"`])([A-Za-z][\w. -]{0,29})\1(?!\w)/g
/** What is between two texts of a list. */
const isListed = /^(\s*\([^()]*\))?[\s,;|/]*((and|or)\b( an?)?[\s,;|/]*)?$|[\n*•]|<br|<li/
const isCondition = /\b(if|when|whether|use|using|see|case of|replaced by)\b/i

/** The texts that a description lists between quotes: `One of 'open' and 'closed'` */
export function textsIn(said: string): string[] {
  const description = straight(said)
  const [, capitals] = listOfCapitals.exec(description) ?? []
  if (capitals !== undefined) return capitals.split(/,? or |,? and |, /)
  const [, plain] = listOfWords.exec(description.trim()) ?? []
  if (plain !== undefined) return plain.split(/,? or |,? and |, ?| ?\| ?/)
  const quoted = [...description.matchAll(quotedText)]
  const gap = (one: RegExpExecArray, other: RegExpExecArray) =>
    description.slice(one.index + one[0].length, other.index)
  const isNext = (index: number) => {
    const [one, other] = [quoted[index], quoted[index + 1]]
    return one !== undefined && other !== undefined && isListed.test(gap(one, other))
  }
  const listed = quoted.filter((_, index) => isNext(index) || isNext(index - 1))
  const before = description.slice(0, listed[0]?.index)
  if (
    !announces.test(description) &&
    (listed.length < quoted.length || isCondition.test(before.slice(before.lastIndexOf('.') + 1)))
  )
    return []
  const texts = [...new Set(listed.map(([, , text = '']) => text))]
  return texts.length > 1 && texts.length <= 20 ? texts : []
}

const one = String.raw`(?:(?:"[^"\n]{2,40}")|(?:'[^'\n]{2,40}')|(?:\x60[^\x60\n]{2,40}\x60)|[\w@/+#][\w.@:/+#-]+)`
const examples = new RegExp(
  String.raw`\b(?:(?:e\.?g\.?|for example|for instance|such as)[:,]*|(?:examples?|ex)[.:]) +(${one}(?:(?:,? (?:or|and) |, ?)${one}){0,40})(?=,? etc|\.{3}|[).;\n]|\s*$)`,
  'i',
)

/** The texts that a description gives as examples: `the manager (e.g. npm, cargo)` */
export function examplesIn(description: string): string[] {
  const [, all = ''] = examples.exec(straight(description)) ?? []
  return [...all.matchAll(new RegExp(one, 'g'))]
    .map(([text]) => text.replace(/^["'`]|["'`]$|(?<![.,])[.,]+$/g, ''))
    .filter((text) => text.length > 1 && !/^(or|and|etc|ids?|types?|from|null|true|false)$/i.test(text))
}

/** Names of properties with the kind of the record. */
const kindOfThing = /^(object|object type|resource type)$/

const isKindOfName =
  /^(display|public|short|long|pretty|friendly|full|original|unique|common|official|technical|internal|external|own|default|new|old|current|raw|simple|localized|local|resource|object|entity|legal|human|the|my|your|alternative|alternate|canonical|qualified|preferred|readable|sort|item|meta|seo|sub|page|main|work|alt|og|social)$/

const people = findName('person')
const titles = table.makerOf('salutation') as Recipe
/** People whose title says what they do. */
const isStaff =
  /\b(user|employee|staff|contact|lead|member|position|worker|person|profile|candidate|applicant|speaker)$/
const isWritten = /\b(article|post|page|news|document|blog|announcement|presentation|lesson|newsletter)$/

export interface FoundText {
  recipe: Recipe
  /** Whether texts of the document would be better. */
  isVague: boolean
  /** Whether the name says so little that most texts would be wrong. */
  isGuess?: boolean
}

/** Names in a form of their own. */
const isOtherName =
  /\b(user|sign ?in|login|nick|screen|file|host|domain|first|last|given|family|sur|middle|code|key|class|field|column|table|bucket|package) ?name$/

/** The name of what the description says it is the name of: `The name of the person for this account` */
export function nameSaid(words: string, description: string): Recipe | undefined {
  if (!/\b(name|title)$/.test(words) || isOtherName.test(words)) return undefined
  const [, thing] =
    /\b(?:name|title) of (?:the |an? |this |your )?((?:[\w-]+ ){0,2}?[\w-]+)(?=$|[.,;:(\n]| (?:of|for|to|in|on|that|which|who|with|when|where|used|by|from|as|is|set|responsible)\b)/i.exec(
      description,
    ) ?? []
  const noun = ownerWords(thing ?? '')
  return isForm.test(noun) ? undefined : findName(noun)
}

/** Finds the recipe for a property. Undefined if the name is unknown. @param owner its words, the last one in the singular */
export function findText(words: string, owner: string): FoundText | undefined {
  if (kindOfThing.test(words)) return { recipe: [owner.replaceAll(' ', '_') || 'object'], isVague: true }
  const found = findThing(words, owner) ?? findInTable(words, owner)
  if (found) return found
  if (/\bnames?$/.test(words)) return findOwnName(words, owner)
  if (/\b(title|label)s?$/.test(words)) return findTitle(words, owner)
  const recipe = /\b(media|blob|asset|account)$|category$/.test(words) ? undefined : findName(words)
  return recipe && { recipe, isVague: false }
}

/** The full name of a bank, which is not that of a person, or the name of another thing: `city name` */
function findThing(words: string, owner: string): FoundText | undefined {
  const thing = /^(full|legal|official|long|common|original) ?name$/.test(words) ? findName(owner) : undefined
  if (thing && thing !== people) return { recipe: thing, isVague: false }
  const other = otherThing(words)
  const recipe = other === undefined ? undefined : findName(other)
  const isTitle =
    / title$/.test(words) && (recipe === people || things.isOfFiles(recipe) || isWritten.test(words.slice(0, -6)))
  return recipe && !isTitle ? { recipe, isVague: false } : undefined
}

const otherThing = (words: string): string | undefined => /^(?:.* )?(\w+) (?:name|title)$/.exec(words)?.[1]

function findInTable(words: string, owner: string): FoundText | undefined {
  const make = table.makerOf(words, owner)
  if (!make || words === 'name') return undefined
  const isRowGuess = table.isRarelyRight(words)
  const recipe = resolved(make, words, owner) ?? []
  const isWords = make === remark || make === saying
  if (isWords && isTrouble.test(owner)) return { recipe: failure, isVague: true }
  const isSaid = isWords && !isTalk.test(owner) && !/\bcomments?$/.test(words)
  const isRarelyRight = guessed.has(make) || guessed.has(recipe)
  const isGuess = isRowGuess || isSaid || (isRarelyRight && !/\b(priority|severity|urgency)$/.test(words))
  // The type of a record that says nothing more is its kind.
  if (make === kind && /^(type|kind)$/.test(words) && owner !== '')
    return { recipe: [owner.replaceAll(' ', '_')], isVague: true, isGuess: true }
  const opinion = isWords && isOpinion.test(owner) ? oneOf(lists.opinions) : undefined
  return {
    recipe: opinion ?? (isSaid && make === remark ? explanation : recipe),
    isVague: isRowGuess || vague.has(make),
    isGuess,
  }
}

/** `race name` is the name of a race, `display name` that of the owner. */
function findOwnName(words: string, owner: string): FoundText {
  const other = otherThing(words)
  const isOther = other !== undefined && !isKindOfName.test(other)
  const named = isOther ? words.replace(/ names?$/, '') : owner
  const isVague = findName(named) === undefined
  return { recipe: nameOf(named), isVague, isGuess: false }
}

function findTitle(words: string, whole: string): FoundText {
  const other = otherThing(words)
  const owner = other === undefined || isKindOfName.test(other) ? whole : words.replace(/ title$/, '')
  const recipe = findName(owner)
  // The title of a photo is not the name of its file, and an article may be a text.
  if (things.isOfFiles(recipe) || isWritten.test(owner)) return { recipe: phraseOf(owner), isVague: true }
  if (recipe && recipe === people)
    return { recipe: isStaff.test(owner) ? oneOf(lists.jobs) : titles, isVague: true, isGuess: words === 'label' }
  return recipe ? { recipe, isVague: false } : { recipe: nameOf(owner), isVague: true }
}

/** A text for a property about which nothing is known but the words of its name. */
export function unknownText(words: string, owner: string): FoundText {
  const recipe = countedIn(words) === undefined ? phraseOf(words || owner) : number(1)
  return { recipe, isVague: true, isGuess: true }
}
