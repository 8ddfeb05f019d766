/** What descriptions of refusals say about the records that are in the way: the states they are in, and what still belongs to them. */
import { saysNothing } from './errors-in-texts.js'
import { singular, wordsOf } from './words.js'

/** Clauses of a description. Descriptions of many errors are lists of them. */
function clausesOf(text: string): string[] {
  return (
    text
      .slice(0, mostRead)
      // A line that goes on in lower case belongs to the same sentence.
      .replace(/\n(?=[a-z`'"])/g, ' ')
      .toLowerCase()
      .replace(/<[^<>]{0,40}>|[`'"*]/g, ' ')
      .replace(/\b(apenas|somente|solamente|únicamente|seulement|uniquement|nur)\b/g, 'only')
      .split(/[.;:\n|()]+|,? or (?=the )/)
  )
}

/** What of a description is read. */
const mostRead = 1000

/** Clauses about who asks, or how, not about the record. */
const ofCaller = /permission|privilege|authori[sz]|access|scope|role|token|credential|method|plan\b/
export const isOfCaller = (text: string): boolean => ofCaller.test(text.toLowerCase())

/** What says before a state that the record must have it, or after it. */
const needing =
  /\b(not(?! (?:allowed|permitted|found))|isn t|wasn t|non)( \w+){0,4}$|\b(only|must|unless|other than|except|requires?|has to be|have to be|needs? to be)\b/
const needed = /\b(required|expected|only)\b/
/** What says of a state that the record must not have it. */
const excluding = /\b(already|must not be|no longer|cannot be in|can not be in)\b/
/** Where the description of an operation, which says much else, says when it is refused. */
const refusing =
  /\b(cannot|can ?not|can ?t|may not) be \w+|\bonly\b|\bmust be empty\b|\bcan ?(not|t)? (delete|remove)\b/
/** The words between "only" and a state. */
const between =
  /\bonly( (for|para|in|if|when|while|the|a|an|be|is|are|been|it|they|to|of|on|its|their|with|state|status|by|succeeds?|works?|possible))*( \w+)?( (is|are|still|in|the|a|an|state|status))*$/
/** What only names a state, as a reason. */
const naming = /\b(is|are|was|were|been|if|when|once|while|in|after|because)\b/
/** Whether a text is about the state of a record, and names none, or says nothing at all. */
export function saysWrongState(text: string): boolean {
  return saysNothing(text) || /\b(invalid|wrong|illegal|current) (\w+ )?(state|status|transition)\b/i.test(text)
}

const never = /\b(cannot|can ?not|can ?t|may not)\b/
/** What the operation does: no state. */
const doing = /\b(can|may|cannot|could|able to|allowed to|can ?t)( only| not)? be (\w+ed|sent|paid)\b/g

/**
 * The states in which an operation is possible, as a description says: `Only draft invoices can be sent`, `The order is already paid`.
 * @param isGeneral whether the text is that of the operation, not of a refusal
 * @returns undefined if it names none
 */
export function statesNeeded(text: string, states: readonly string[], isGeneral = false): string[] | undefined {
  for (const clause of clausesOf(text)) {
    if (isGeneral && !refusing.test(clause)) continue
    const said = clause.replace(doing, (all) => (all.includes('only') ? ' only ' : ' '))
    const words = ` ${wordsOf(said).join(' ')} `
    const named = states.filter((state) => words.includes(` ${wordsOf(state).join(' ')} `))
    if (named.length === 0 || named.length === states.length || ofCaller.test(clause)) continue
    const others = states.filter((state) => !named.includes(state))
    const before = (state: string) => (words.split(` ${wordsOf(state).join(' ')} `)[0] ?? '').trim()
    if (isGeneral && /\bonly\b/.test(said)) {
      if (!named.some((state) => between.test(before(state)))) continue
      return named
    }
    if (excluding.test(said)) return others
    if (needed.test(said) || named.some((state) => needing.test(before(state)))) return named
    if (naming.test(said) || (said !== clause && !said.includes(' only ') && never.test(clause))) return others
  }
  return undefined
}

/** What is said to be in the way of a removal: its noun, and the words before it. */
export interface Blocking {
  noun: string
  adjectives: string[]
}

/** What says that something uses a record, whatever it is. */
const used =
  /\b(in use|being used|(still|already|currently) (used|referenced|assigned|linked|attached)|referenced by|used by|depends? on|dependenc(y|ies)|dependent \w+s|not empty|non ?empty|isn ?t empty|must be empty|child(ren)?)\b/
const having = /\b(has|have|having|contains?|containing|with|owns?|holds?)\b (.{1,60})$/
const existing = /^(.{1,40})\b(exist|are (still )?(assigned|attached|linked|associated))\b/

/**
 * What keeps a record from being removed: `Category still has products`, `in use`.
 * @param nouns what belongs to the record, in the singular
 * @returns the nouns that are named; all if it does not say which ones; undefined if it says nothing
 */
export function blockingIn(text: string, nouns: readonly string[], isGeneral = false): Blocking[] | 'any' | undefined {
  let isAny = false
  for (const clause of clausesOf(text)) {
    if (ofCaller.test(clause) || (isGeneral && !refusing.test(clause))) continue
    const part = having.exec(clause)?.[2] ?? existing.exec(clause)?.[1] ?? (used.test(clause) ? clause : undefined)
    if (part === undefined) continue
    const words = wordsOf(part).map(singular)
    const found = nouns.flatMap((noun) => {
      const at = words.indexOf(noun)
      return at === -1 ? [] : [{ noun, adjectives: words.slice(0, at).filter((word) => !neutral.has(word)) }]
    })
    if (found.length > 0) return found
    isAny ||= used.test(clause)
  }
  return isAny ? 'any' : undefined
}

/** Words before a noun that do not choose among its records. */
const neutral: ReadonlySet<string> = new Set(
  'a an any the it its of more one or some still already other existing associated attached assigned linked related dependent child there are is been in use used by referenced current'.split(
    ' ',
  ),
)

/**
 * Whether a text says that a record is not removed while it has records of a kind, whatever their state.
 * @param noun in the singular
 * @example saysHeldBy('Refused with 409 while the client has projects.', 'project') // true
 */
export function saysHeldBy(text: string, noun: string): boolean {
  const some = '(?!,? (in (?!any|whatever)|that|which|whose|with|not)\\b)'
  const held = new RegExp(`\\b(has|have|having)\\s+((any|an?|existing)\\s+)?${noun}(s|es)?\\b${some}`, 'i')
  const refused = /\b(409|refuse[ds]?|conflict|cannot|can't|must not)\b/i
  return text.split(/\.\s|\n/).some((sentence) => refused.test(sentence) && held.test(sentence))
}
