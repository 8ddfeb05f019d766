/** What names and descriptions of the properties of error bodies say. */
import { wordsOf } from './words.js'

const endsWith = (words: string) => new RegExp(`\\b(${words})$`)
const has = (words: string) => new RegExp(`\\b(${words})\\b`)

export type ErrorName =
  | ('message' | 'summary' | 'title' | 'code' | 'codeBeside' | 'other' | 'status' | 'phrase' | 'time' | 'failure')
  | ('holder' | 'held' | 'language' | 'kind')
  | ('errors' | 'aside' | 'pointer' | 'field' | 'keyword' | 'place')

/** Prefixes of words that otherwise describe the subject of an error, such as the name of an object. */
const ofError =
  '(?<=^|\\b(err|errors?|exception|problem|fault|failure|issue|violation|validation|constraint|rule|message|reason|status) )'

/** The purpose of a property by the words of its name. */
const kinds: Record<ErrorName, RegExp> = {
  message: endsWith('messages?|msgs?|details?|description|desc|explanation'),
  summary: endsWith(
    'reasons?|errors?|text|cause|info|information|issues?|problems?|faults?|violations?|warnings?|exceptions?|diagnostics?|hint',
  ),
  title: endsWith('title|summary'),
  code: endsWith(`(err(or)?)?codes?|errno|status|${ofError}(type|kind|state|name|category)`),
  /** Codes, but only next to a message. */
  codeBeside: endsWith('reasons?|errors?|cause|issues?|problems?'),
  other: endsWith(
    'ids?|uuid|guid|url|uri|links?|href|path|pointer|fields?|propert(y|ies)|param(eter)?s?|locations?|loc|source|target|attributes?|keys?|time|timestamp|date|at|trace|stack|version|host|method|locale|language|lang|token|instance|documentation|docs?|help|support|service|server|value|index|line|tags?|scopes?|schema|rel|operation|resource|region|currency|hash|signature|nonce|domain|severity|level|number|query|next|previous|type|kind|state|name|category',
  ),
  /** The status of the response. */
  status:
    /^((http )?(status|code)|(http |response )?status ?code|http ?(status|code|status ?code)|status|error ?code|type)$/,
  phrase: /^(http )?(status (text|phrase)|reason phrase)$/,
  time: endsWith('time|timestamp|date'),
  /** An object that holds the text for people under a neutral name. */
  holder: endsWith('message|msg|error|detail|description|reason|explanation'),
  held: /^(value|content|string)$/,
  /** A text or number that is the same for all errors of one kind. */
  kind: /^(?!.*\b(request|instance|self|trace|log|next|field|parameter)\b).*\b(type|kind|category|class|domain|name|title|codes?|number|errno|object|severity|level|(docs?|documentation|help|info|reference)( (ur[il]|href|link))?)$/,
  language: endsWith('lang|language|locale'),
  failure: has('(is|has)?(err|errors?|fail|failed|failures?)'),
  /** A list, map or object of errors, not of their subjects. */
  errors: has(
    'err|errors?|messages?|details?|issues?|problems?|faults?|violations?|exceptions?|failures?|reasons?|causes?|warnings?|validations?|invalid|model state',
  ),
  aside: has(
    'links?|meta|metadata|help|docs?|documentation|debug|request|context|extensions?|inner|stack|trace|data|parameters?|args?',
  ),
  pointer: endsWith('pointer'),
  field: endsWith(
    '(json )?path|field( name| path)?|propert(y|ies)( name| path)?|attribute|param( name)?|parameter( name)?|argument|target|source|loc|key|data path',
  ),
  keyword: endsWith('keyword|rule|constraint|validator|validation'),
  place: endsWith('location( type)?|in|place'),
}

export function isNamed(kind: ErrorName, name: string): boolean {
  return kinds[kind].test(wordsOf(name).join(' '))
}

export type JoinedErrorName =
  | 'path'
  | 'id'
  | 'count'
  | 'pointer'
  | 'parameter'
  | 'location'
  | 'flag'
  | 'format'
  | 'http'

/** Names whose words may be joined: `requestid` */
const written: Record<JoinedErrorName, RegExp> = {
  path: /^path$|request.?(path|ur[il])/i,
  id: /(id|uuid)$/i,
  count: /(count|total)$/i,
  pointer: /pointer$/i,
  parameter: /^param(eter)?$/i,
  location: /^loc/i,
  flag: /^(is_?)?(success(ful)?|succeeded|ok|error|failed|failure)$/i,
  /** JSON-LD and protobuf use such names for the type of an object. */
  format: /^[@$]/,
  /** A status, not a code that may be one. */
  http: /status|http/i,
}

export function isWritten(kind: JoinedErrorName, name: string): boolean {
  return written[kind].test(name)
}

/** Parts of a violation, of which the first one counts. */
const ofViolations = ['pointer', 'field', 'keyword', 'place'] as const

/** The part of a violation that a name means: `field`, `parameter_name`, `constraint` */
export function violationPart(name: string): (typeof ofViolations)[number] | undefined {
  return ofViolations.find((kind) => isNamed(kind, name))
}

/** Whether a name of such a part is that of something else if it describes the whole error. */
export function isOfRequestOrRecord(name: string): boolean {
  return /^(path|source|target|key)$/i.test(name)
}

/** Whether a description says that programs read a text: "a machine-readable code" */
export function saysForMachines(text: string): boolean {
  return /\b(identif(ier|ies)|codes?|machine)\b/i.test(text)
}

/** Whether a description says that people read a text: "explains what went wrong" */
export function saysForPeople(text: string): boolean {
  return /\b(human|readable|explanation|explains?|messages?|what went wrong|describ(es|ing)|reason|details of)\b/i.test(
    text,
  )
}

/** Whether a description says that a value is the status of the response. */
export function saysStatus(text: string): boolean {
  return /^(the |an? )?(http (response |error )?(status|code)|response (status )?code|status code)\b(?! (text|phrase|name|message))/i.test(
    text,
  )
}

/** Whether a format says that a text has digits. */
export function isNumberFormat(format: string): boolean {
  return /^(u?int\d*|integer|numeric|number)$/i.test(format)
}

/** Whether a format allows any text. */
export function isTextFormat(format: string): boolean {
  return /^(string|text|markdown|html|nullable|normal)$/i.test(format)
}
