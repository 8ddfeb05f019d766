/** What lines can say: the members of the vocabulary, and those that only rules write. */
import type { FieldEvent, MadeValue, Period } from '../contract/contract.js'
import type { ErrorBody } from '../contract/documented-response.js'
import type {
  AnswerValue,
  BlockingRecords,
  BulkUse,
  FieldChange,
  FileValue,
  InnerList,
  LinkUse,
  LoginCheck,
  MergedObject,
  NestedWritten,
  PropertyChoice,
  PropertyLink,
  Reference,
  Repeats,
  ServiceWritten,
  StartedRecord,
  WrittenUser,
} from '../contract/effects/effect.js'
import type { ListQuery } from '../contract/effects/list-query.js'
import type { Lines, Said } from './line.js'
import { nothing } from './vocabulary.js'

/** The states of a record that pass as the clock does. */
export interface Lifecycle {
  property: string
  from: unknown
  to: { after: string; value: unknown; sets?: Record<string, unknown> }[]
  fail?: number
  failed?: unknown
}

/** A property with the key of a record, or with keys. */
export interface ReferenceTo {
  /** The path of the collection, or `$none`. Absent: no collection is known to have the record. */
  to?: string
  /** Whether a request with the key of no record is refused. */
  strict?: boolean
}

/** A property with the records of a collection below its own. */
export interface PartOf {
  /** The path of their collection. */
  to: string
  /** Whether it is one record, which exists once: the value, or `from` names the property that has it. */
  isSingle?: true
  from?: string
  /** Whether only requests have it. */
  isSent?: true
  /** The list, if the property has an object around it. */
  inner?: InnerList
}

/** Records that an operation links with another one. */
export interface LinkOf extends Omit<LinkUse, 'kind' | 'collection' | 'place' | 'all' | 'shows' | 'values'> {
  /** The path of their collection. */
  to: string
  /** Whether the path without its last part lists them. */
  above?: 1
  isVerb?: true
}

/** What an operation does to many records. */
export interface BulkOf extends Pick<BulkUse, 'items' | 'key' | 'keys' | 'query' | 'shared' | 'isShown'> {
  /** The places in the answer of numbers that count the changed records. */
  counted?: string[][]
  /** The path of their collection, and that of the operation that lists or creates them. */
  to: string
  path: string
  read?: true
  create?: true
  change?: 'replace' | 'update' | 'action'
  remove?: true
  /** What is said of the effect on one of them. */
  one: { create?: OperationLines; change?: OperationLines; remove?: OperationLines }
}

/** A key of another record in a request. `target` is the schema of the record that answers show. */
export interface FoundReference extends Omit<Reference, 'shape'> {
  target?: { value: unknown; path: readonly (string | number)[] }
  /** Whether records show nothing more than the key, and a person or a refusal says of which collection. */
  isSaid?: true
}

/** A property that relates a record with another one. */
export interface Related {
  /** The path of the collection of the other one. */
  to: string
  property: string
  /** Where the keys are, if one of both has a list of them. */
  link?: PropertyLink
  /** Whether both are of the same collection. */
  isInner?: true
}

/** What lines say of a collection. A line is about the name in brackets. */
export interface CollectionMembers {
  /** The property that holds the key. */
  key: string
  /** [property, or list/property] A further key that the service makes. */
  keys: true
  /** [property] Only the answer to a creation shows it. */
  shownOnce: true
  /** [property] By which paths may find a record, besides its key. */
  finds: true
  /** Where answers have a record, and where requests do: JSON Pointers. */
  record: string
  request: string
  /** [property] The path of the collection of an owner. */
  owner: string
  /** [property] */
  references: ReferenceTo
  /** [property] No two records have the same value. */
  unique: true
  /** [property] What a new record has that its request does not give. */
  first: unknown
  lifecycle: Lifecycle | false
  /** A state that follows from two times of the record. */
  period: Period
  /** The state of a record that failed. */
  failedState: string
  /** [state] What else a record has from then on. */
  reached: Record<string, unknown>
  /** [pointer] A template of a text, `$count.x`, `$slug.x`, `$version` or `$none`; the parts of a text if it has braces. */
  made: string | MadeValue['parts']
  /** [name in requests] The property of the record, or the place of a text in a list of objects. */
  names: string
  environment: string
  /** [property] The status for the key of no record. */
  refuses: number
  /** What keys have that nothing has shown: a sample, or one only below owners without records. */
  unknown: 'none' | 'sample' | 'shown' | 'empty'
  /** [property] Its numbers begin at 1 below each owner. */
  numbered: true
  /** [property] Records below it that a record shows, or that only requests have. */
  parts: PartOf
  /** [property] A list that names records: the path of their collection. */
  links: string
  /** [parameter and path] How a path relates records to that of a parameter which does not own them. */
  relations: Related
  /** [path] The names that lead to the number of records of a path below it. Empty if nothing counts them. */
  counts: string[]
  /** [property, value and time] A time that the change to a value sets. */
  events: FieldEvent
  /** [property] How an update changes the object. */
  merges: MergedObject
  /** [property] What it says of an uploaded file. */
  files: FileValue['is']
  /** [property by operation] What a request changes. */
  changes: unknown
  /** [operation] A record that begins because an answer names it. */
  starts: string
  /** [place of bodies] Where bodies have the record. */
  places: string[]
  /** [property] The values that filters name. */
  filterValues: string[]
  /** [property] How requests write its name. */
  spelling: string
}

export type CollectionLines = Lines<CollectionMembers>
export type CollectionSaid = Said<CollectionMembers>

/** A property with which a parameter of a list is compared. */
export interface FilterBy {
  property: string
  compare?: 'is' | 'above' | 'from' | 'below' | 'to' | 'text' | 'start' | 'end'
  unset?: string[]
  all?: string[]
}

/** A value that an answer has. */
export interface AnsweredValue extends Omit<AnswerValue, 'plan'> {
  /** The schema of a key that is new in each answer. */
  made?: unknown
}

/** Records of another collection that keep one from being removed. */
export type BlockedBy = Omit<BlockingRecords, 'collection'>

/** How an operation is about the user who is logged in, or logs in. */
export interface UserOf {
  /** The path of the collection of users. */
  to: string
  /** The properties with their names. */
  names: string[]
  /** The property of the body with the name of the user who logs in, and where the answer shows the user. */
  by?: string
  at?: string[]
}

/** What lines say of an operation. */
export interface OperationMembers {
  effect: string
  /** The path of the collection. */
  collection: string
  key: string
  parameter: string
  list: string
  record: string
  request: string
  /** [role] The parameter that has it, or a number. */
  page: string | number
  /** [parameter] The property of the record, or `$none`. */
  filters: string | FilterBy
  /** [pointer] What the record has afterwards. */
  changes: unknown
  /** [property] What the record must have before. */
  needs: unknown
  /** The status if it does not have that. */
  needsStatus: number
  /** [path of a collection] What must not belong to a record that is removed. True: none of its records. */
  blockedBy: BlockedBy | true
  /** [property with a key] What the record that it names has afterwards. */
  related: Record<string, unknown>
  /** [pointer] What the success has besides the record. */
  answer: unknown
  /** [header] */
  headers: string
  repeated: string
  /** The status of a success. */
  status: number
  /** [reason] */
  errors: number | { status?: number; code?: string; body?: unknown }
  starts: string
  /** [name in the request] The property of the record. */
  names: string
  /** What the service writes in the record. A value `$made` is made as generated data. */
  writes: ServiceWritten[]
  nested: NestedWritten[]
  /** Whether an action makes a new record with the values of the one that its path names. */
  copies: true
  /** The record that begins, as an answer names it: with the path of its collection. */
  started: StartedRecord
  /** The parameter that shows removed records. */
  showsRemoved: string
  /** [name in the answer] The property of the record. */
  shows: string
  /** What it links with the record that its path is below. */
  links: LinkOf
  /** The keys of other records that its requests have. */
  refers: FoundReference[]
  /** How requests choose the properties that the answer shows. */
  choice: Omit<PropertyChoice, 'ensure'>
  /** Where the request has a list of which the answer has one item for each value. */
  repeats: Repeats
  /** How requests filter, sort and page its list. */
  query: ListQuery
  /** Whether a creation refuses a key that a record has already. */
  conflicts: true
  /** The status of a creation that answers with the record that has the same unique value. */
  existing: number
  /** Whether a creation with the key of a record replaces that one. 404: a key that is sent has to be that of a record. */
  upserts: true | 404
  /** The status if a change creates a missing record. */
  creates: number
  /** Whether a change gives the record another key. */
  renames: true
  /** [property] Objects of the record that an update merges. */
  merges: MergedObject
  /** What the answer to a removal says. */
  showsRemoval: FieldChange[]
  /** Whether it makes secrets again. */
  renews: true
  /** [status] */
  errorBody: FoundErrorBody
  /** The status of requests that break the contract, if that is not the usual one. */
  invalidStatus: number
  /** The status of a conflict with what exists already. */
  conflictStatus: number
  /** The same for keys in the path. */
  invalidPath: number
  /** [parameter] Words that callers may send in place of a key. */
  keyWords: string[]
  /** What it does to many records. */
  bulk: BulkOf
  /** The path of the collection of users, and the properties with their names, if it is about the one who is logged in. */
  user: UserOf
  /** The path of the collection of users, and what it compares of them, if it is a login that documents a refusal. */
  login: Omit<LoginCheck, 'collection'> & { to: string }
  /** The same, if its records say who made them. */
  author: { to: string; names: string[]; written: WrittenUser[]; owned?: [property: string, from: string] }
  method: string
  /** Where its answer and its request have the key of a new record, if that is not the record: `''` is the whole body. */
  answerKey: string
  requestKey: string
  /** Values of its answer, besides those of records. */
  values: AnsweredValue[]
  /** [property] What it computes: an item of a list that no example shows. */
  results: unknown
  /** [pointer of the list] What is counted beside it, and links to other pages, which one record has not. */
  beside: { counts: string[][]; pages: string[][] }
  /** [property] What the record says of an uploaded file. */
  describes: FileValue
  /** The property of a JSON body that has it in Base64. */
  encoded: string
  /** The path parameter that ends with the name of the file. */
  fileName: string
  /** The properties of the answer to an upload that may have the key of the file. */
  fileKeys: string[]
  /** Whether its path names the content of a file. */
  showsContent: true
}

/** A part of an error body that nothing says: a value of a schema. */
export interface SampledPart {
  from: 'sample'
  schema: unknown
}

/** The body of errors: which of its parts have which facts about a refusal. A part may be a `SampledPart`. */
export interface FoundErrorBody extends Omit<ErrorBody, 'ensure'> {
  /** Its schema, if a document has it, and not only its properties. */
  schema?: { value: unknown; path: readonly (string | number)[] }
}

/** Bodies of errors as templates: JSON in which texts such as `$message` are facts about a refusal. */
export interface ErrorTemplates {
  /** The body of most errors. */
  body: unknown
  /** That of requests that break the contract. */
  invalid?: unknown
  /** That of requests without valid credentials. */
  unauthorized?: unknown
  /** @default application/json */
  mediaType?: string
}

/** Habits: what lines say of the whole service. */
export interface ServiceMembers {
  /** What new records have in optional properties without a value. */
  optional: 'null' | 'empty' | 'absent' | 'sent'
  /** The order of lists of which nothing else says one. */
  order: 'oldest' | 'newest'
  /** What happens to properties of requests that no schema names, where it allows any. */
  unknownProperties: 'dropped' | 'kept'
  /** What a key has that nothing has shown. */
  unknownKeys: CollectionMembers['unknown']
  /** The form of keys that may be any text. */
  keys: 'number' | 'uuid'
  /** The form of times in numbers of which nothing says one. */
  times: 'seconds' | 'milliseconds'
  /** The bodies of errors that the document does not describe. */
  errors: ErrorTemplates
  /** What errors have of which the document says nothing. */
  errorBody: FoundErrorBody
}

export type ServiceLines = Lines<ServiceMembers>
export type ServiceSaid = Said<ServiceMembers>

export type OperationLines = Lines<OperationMembers>
export type OperationSaid = Said<OperationMembers>

/** The property of a record that requests have under another name. What is said of all requests counts more. */
export function ownNameIn(lines: OperationSaid, ofRecords: CollectionSaid): (name: string) => string | undefined {
  return (name) => {
    const said = ofRecords.value('names', name)
    const own = said?.startsWith('/') ? undefined : (said ?? lines.value('names', name))
    return own === nothing ? undefined : own
  }
}
