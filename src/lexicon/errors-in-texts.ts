/** Which descriptions and names of responses are about errors, and about which ones. */
import { wordsOf } from './words.js'

/** Whether a description begins with an error: `Unexpected error`, `An error occurred.` */
export function saysError(text: string): boolean {
  return /^(\w+ ){0,3}(error|exception|failure|fault)\b/i.test(text) && !/success/i.test(text)
}

/** Whether the name of a schema is that of an error. */
export function isErrorName(name: string): boolean {
  return /(error|exception|fault|problem|failure)/i.test(name)
}

/** Whether a property says what went wrong: `errors`, `lastError`, `error_message` */
export function isErrorProperty(name: string): boolean {
  return /^(errors?|err|warnings?)($|_|[A-Z])|(error|Error)_?([Mm]essage|[Tt]ext|[Dd]escription)?$/.test(name)
}

/** Whether the name of a schema is that of any error: `ApiErrorResponse` */
export function isGeneralErrorName(name: string): boolean {
  return /^((api|http|rest|default|generic|general|standard|common|json) )*(error|problem|exception)( (response|model|object|body|dto|details?))?$/.test(
    wordsOf(name).join(' '),
  )
}

/** Whether a code says that a record with such a value exists already: `EMAIL_TAKEN` */
export function saysTaken(code: string): boolean {
  return /exist|taken|duplicat|unique/i.test(code)
}

/** Whether an error is about a body that cannot be read, or about headers: not about values. */
export function saysUnreadable(text: string): boolean {
  const isOfSyntax =
    /malformed|syntax|pars(e|ing)|decod(e|ing)|deserial|not (valid )?json|invalid json|unreadable/i.test(text)
  return isOfSyntax || /^(?!.*(param|argument|field|input|body)).*(header|idempoten|cookie)/is.test(text)
}

/** Whether an error is about credentials: `Invalid token.` */
export function saysUnauthorized(text: string): boolean {
  return /\b(tokens?|credentials?|api[ -]?keys?|unauthori[sz]ed|unauthenticated|session|passwords?)\b/i.test(text)
}

/** Whether a success is about a record that exists already: `The existing link is returned` */
export function saysExisting(text: string): boolean {
  return /\balready\b.{0,40}\bexist|\bexist(s|ed) already\b|\balready (exist|registered|subscribed|added|created)|\bexisting \w+ (is|was) returned\b|\breturns? (the|an) existing\b/i.test(
    text,
  )
}

/** Whether an error is about a record that exists already: `Duplicate entry`, `The name is in use`, `USER_ALREADY_EXISTS` */
export function saysTwice(text: string): boolean {
  return (
    saysExisting(text.replaceAll('_', ' ')) ||
    /\bduplicat(e|ed|ion)\b|\b(already|is|name|email) (in use|taken|been taken|used)\b(?! up)|\b(must be|is not|not) unique\b/i.test(
      text,
    )
  )
}

/** Whether the description of a conflict says nothing more. */
export function saysNothing(text: string): boolean {
  return /^\W*(409\W*)?(conflict)?\W*$/i.test(text)
}

/** Whether an error is about values that break the contract. */
export function saysInvalid(text: string): boolean {
  return /valid(?!.{0,200}json)|semantic|parameter|argument|missing|required|field|input/i.test(text)
}

/** What says that another record has the value of a property: `"email": ["is already taken"]` */
export function takenPattern(property: string): RegExp {
  const phrase = wordsOf(property).join('[ _-]?')
  const taken = 'exist(?:s|ed)?|taken|in use|already used|been used|duplicated?|unique'
  // unmeasured: words of a name, which are letters and digits
  return new RegExp(
    `\\b${phrase}\\b[^."]{0,200}\\b(${taken})\\b|\\b(duplicate|same|unique)( \\w+)? ['\`]?${phrase}\\b|"${phrase}":\\[?"[^"]*\\b(${taken})\\b`,
    'i',
  )
}
