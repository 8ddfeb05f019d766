/** The effects of operations: how they change the state of a world, and how they answer. */

import type { JsonType } from '../request-model.js'
import type { Ensure } from './ensure.js'
import type { ListQuery } from './list-query.js'

/**
 * How an operation uses the files of its world: it stores the file in the body, answers with a file instead of its effect,
 * or removes the files of its record.
 */
export type FileUse = KeepFile | { kind: 'send'; types: string[] } | { kind: 'remove' }

export interface KeepFile {
  kind: 'keep'
  paths: FilePath[]
  /** What the record says of the file. */
  values?: FileValue[]
  /** The property of a JSON body that has the file in Base64. */
  encoded?: string
  /** The path parameter that ends with the name of the file. */
  named?: string
}

/** A property that describes a file. */
export interface FileValue {
  property: string
  is: 'name' | 'type' | 'extension' | 'size' | 'md5' | 'sha1' | 'sha256' | 'encoding'
  /** A size as a text, or a hash in Base64. @default a number, or hexadecimal digits */
  as?: 'text' | 'base64'
}

/** How an operation changes many records at once, in addition to its effect: those in an array, or all. */
export interface BulkUse {
  kind: 'bulk'
  /** The properties that lead to the items in the request body. Absent if it has none. */
  items?: string[]
  /** The property of an item that has the key of its record. Items may also be the keys themselves. */
  key: string
  /** The query parameter with keys. */
  keys?: string
  /** How the query chooses the records, if nothing in the body does. */
  query?: ListQuery
  /** The properties that lead to the object with what each record gets, if items are keys alone. */
  shared?: string[]
  /** The places in the answer of numbers that count the changed records. */
  counted?: { pointers: string[][]; ensure: Ensure }
  /** Applied to each item, in place of all others: an item whose record does not exist is left out. */
  read?: KeyedEffect
  /** Applied to each item whose record does not exist yet. */
  create?: CreateEffect
  /** Applied to each item whose record exists. */
  change?: KeyedEffect
  /** Applied to removed records: with `create` all that are not among the items, else the items. */
  remove?: KeyedEffect
  /** Whether the answer contains the records. */
  isShown?: true
  /** The envelope of the records. */
  envelope?: Envelope
}

/** What an operation links: records of a collection with the one that its path is below. Its effect is the answer. */
export interface LinkUse {
  kind: 'link'
  does: 'add' | 'remove' | 'set'
  collection: string
  /** The records that are linked. */
  place: PathScope
  /** Those that can be linked. */
  all: PathScope
  /** The parameter of the path that has the key of the record, or that of the query with keys. Absent if the body has them. */
  parameter?: string
  /** The properties that lead to the object with the keys in the body, and those of it that may have them. */
  given?: string[]
  names?: string[]
  /** The property of an item that has its key, if the item is an object. */
  key: string
  /** Whether a text that names no record creates one. */
  creates?: true
  /** Whether a record is linked with one other record at a time. */
  isOnly?: true
  /** What its answer has of the request. */
  values?: ValueUse
  /** Shows the linked record, where the effect would create it. */
  shows?: KeyedEffect
}

/** An operation whose body may be left out, but has to have something if it is sent: nothing is stored without it. */
export interface BodyUse {
  kind: 'body'
}

/** What an operation does besides its effect. */
export type EffectUse = BulkUse | LinkUse | UserUse | AuthorUse | ValueUse | BodyUse

/** What an operation does to the record of the user who is logged in. Where nobody is, its own effect applies. */
export interface UserUse {
  kind: 'user'
  /** The properties of a user that may have the subject of a token. */
  names: string[]
  effect: KeyedEffect
  /** The property of the body that names the user, in place of a token. */
  by?: string
  /** What its answer has of the request. */
  values?: ValueUse
}

/** What a login compares: the password of the user whose name it sends, if that user registered with one. */
export interface LoginCheck {
  collection: string
  /** The properties of a user that may have the name. */
  names: string[]
  /** The properties of the body with the name and the password. */
  by: string
  secret: string
  /** The documented status of a refusal. */
  status: number
}

/** What new records, and those that an action changes, say of the user who is logged in. Where nobody is, they say what others do. */
export interface AuthorUse {
  kind: 'author'
  /** The properties of a user that may have the subject of a token, and the collection of users. */
  names: string[]
  collection: string
  written: WrittenUser[]
  /** The property that says whose a record is, if others are refused it, and that of the user. */
  owned?: [property: string, from: string]
  /** What else the creation does. */
  others?: EffectUse
}

/** A property of a record with one of the user, or with an object that has some of them. */
export interface WrittenUser {
  property: string
  from: string | string[]
  /** Whether it is a list that gets or loses the user. */
  list?: 'with' | 'without'
}

/** Where a file is downloaded. */
export interface FilePath {
  /** The documented path. */
  path: string
  /**
   * Properties of the answer. The first one that exists is the last parameter of the path. Absent: all parameters come
   * from the request.
   */
  properties?: string[]
}

/** The effect of an operation on the state. */
export type Effect = ListEffect | CreateEffect | KeyedEffect | ExampleEffect | UndescribedEffect

export type EffectKind = Effect['kind']

/** The success response of an operation. */
export interface Success {
  status: number
  /** Absent if the response has no body. */
  mediaType?: string
  /** Values of the headers that the document requires. */
  headers?: Record<string, string>
  /** How requests choose the properties of the answer. Absent if they cannot. */
  choice?: PropertyChoice
}

/** The choice of the properties that an answer shows. */
export interface PropertyChoice {
  /** The query parameter with their names. */
  parameter: string
  /** The member of the parameter that has them, if it is an object. */
  member?: string
  /** Whether it names those that are left out. */
  leavesOut?: true
  /** The property of a record whose properties it names. Absent: the record itself. */
  inner?: string
  /** For the whole body. */
  ensure: Ensure
}

/** How the path of an operation selects records, and where they are in its bodies. */
export interface RecordAccess {
  collection: string
  /** The records that the path selects by other parameters than the key. Absent if there are none. */
  place?: PathScope
  /** The envelope of the record or the list in the answer. Absent if there is none. */
  envelope?: Envelope
  /** The hidden properties of the collection. */
  hidden?: string[]
  /** Properties of the answer that show those of the record under another name. */
  aliases?: Alias[]
}

/**
 * The name of a property in the bodies of an operation, and in the record. The types to one of which a request converts
 * a text, and an answer a key.
 */
export type Alias = [body: string, own: string, types?: JsonType[]]

/** What the path parameters other than the key say about records. */
export interface PathScope {
  values: PathValue[]
  /** The owners that must exist, outermost first. */
  owners: Owner[]
  /** Records that those of the collection name, and that show or count them. Absent if there are none. */
  named?: NamedOwner[]
  /** The value of a property that hides a record, unless a query parameter asks for such records. */
  hides?: { property: string; value: unknown; unless?: string }
}

/** A record that has its key in a property of others, and where it shows or counts these. */
export interface NamedOwner extends Pick<PathValue, 'property' | 'shown' | 'counted'> {
  collection: string
}

/** A parameter, and the property of the record with its value. */
export interface PathValue {
  parameter: string
  property: string
  /** The collection whose key it is. Absent if the contract does not have that collection. */
  collection?: string
  link?: PropertyLink
  /** Where the owner shows the records. Absent if it does not. */
  shown?: ShownList
  /** The properties of the owner that lead to the number of these records. */
  counted?: string[]
}

/** A list of the owner with its records. */
export interface ShownList extends PropertyLink {
  property: string
  /** Whether it is no list: the property has the record, or its value of the property `from`. */
  isSingle?: true
  from?: string
  /** The list, if the property has an object around it. */
  inner?: InnerList
}

/** The list in an object of a record: `{"data": [], "total_count": 0}` */
export interface InnerList {
  list: string
  /** The property with the number of its items. Absent if there is none. */
  count?: string
}

/** A property with a list that names the linked records. */
export interface PropertyLink {
  /** Which of both has the property: the record of the parameter, or those that the path selects. */
  in: 'owner' | 'records'
  /** The property of the other one whose values it has. */
  key: string
  /** Whether it has objects, in place of the keys alone. */
  isRecord?: true
}

/** An owner in a path. */
export interface Owner {
  collection: string
  /** The parameter with its key. */
  parameter: string
  values: PathValue[]
}

/** The part of a body that surrounds a record or a list. */
export interface Envelope {
  /** The properties and indexes that lead to the record or list. */
  pointer: string[]
  /** An example of the whole body, as JSON text. */
  body: string
  ensure?: Ensure
  /** Whether the list is an object with the records by their keys. */
  isMap?: true
}

export interface ListEffect extends Success, RecordAccess {
  kind: 'list'
  /** Shape of one record. */
  shape: number
  /** The property of each item that holds the record. Absent if the item is the record. */
  wrapper?: string
  /** The type of the items if they are only the keys of records. */
  keys?: 'string' | 'integer'
  /** How requests filter, sort and page the list, and which facts about the page it shows. */
  query: ListQuery
  /** The minimum number of items, if the schema has one. */
  least?: LeastItems
  /** For one record. */
  ensure?: Ensure
}

/** The minimum number of items of a list, even if there are no records. */
export interface LeastItems {
  items: number
  /** Whether the body may leave out the list. */
  isOptional: boolean
  /** For one item. */
  ensure?: Ensure
}

/** How a change is answered, and where the record is in the request body. */
export interface ChangeAccess extends RecordAccess {
  /** The properties that lead to the record in the request body. Absent if it is the whole body. */
  given?: string[]
  /** The property of the record that the body is, or whose value it has in its property `from`. Absent: the record. */
  at?: { property: string; from?: string }
  /** Properties of the request that the record has under another name. */
  givenAliases?: Alias[]
  /** The body, if it does not have the record. */
  answer?: FixedBody
  /** Lists of texts in the request, each of which becomes an object of the record. */
  listed?: ListedTexts[]
  /** Keys of other records that the request gives, where the record has these records. */
  references?: Reference[]
  /** What the service writes in objects that the request gives. */
  nested?: NestedWritten[]
  /** What a correction says that the record has afterwards. */
  changes?: ChosenChange[]
  /** What a record must have before. */
  needs?: NeededState[]
  /** Whether a change gives the record the key that its body has. */
  renames?: true
  /** What must not belong to a record that is removed. */
  blockedBy?: BlockingRecords[]
  /** Changes of the records whose keys the record has in a property. */
  related?: { property: string; collection: string; changes: ChosenChange[] }[]
}

/**
 * Where a value comes from that a correction names. `add`: a number that is added to the value. `without`: the list without
 * the items that are a value, or have it. `none`: nowhere.
 */
export type ChosenValue =
  | { from: 'constant'; value: unknown }
  | { from: 'now'; as?: TimeForm }
  | { from: 'request'; in: 'path' | 'query' | 'header' | 'body'; pointer: string[] }
  | { from: 'record'; pointer: string[] }
  /** A value of the record whose key the record has in a property. */
  | { from: 'related'; property: string; collection: string; pointer: string[] }
  | { from: 'add' | 'without'; value: ChosenValue }
  | { from: 'none' }
  /** A text or a list that is made of values, and an object with them. */
  | { from: 'text' | 'list'; parts: ChosenValue[] }
  | { from: 'object'; properties: [name: string, value: ChosenValue][] }

/** A value that a record has after a request, because a correction says so. */
export interface ChosenChange {
  /** The properties that lead to it. The last one of a list is `-`, for a further item. */
  pointer: string[]
  value: ChosenValue
  /** Whether it comes after the changes of related records, because it has a value of one of them. */
  isLast?: true
  /** Whether it only counts if the record has no value, because the request does not give one. */
  isFirst?: true
  /** The types of the property. */
  types?: JsonType[]
}

/** What the service writes in an object of a record. */
export interface NestedWritten {
  property: string
  serviceWritten: ServiceWritten[]
  /** In the objects that this one has. */
  nested?: NestedWritten[]
}

/** A list of texts in a request, and of the objects with them in the record. */
export interface ListedTexts {
  /** The property of the request. */
  from: string
  /** The property of the record, and that of each object which has the text. */
  property: string
  name: string
}

/** A key of another record, or a list of keys, and where the record that is changed has the other one. */
export interface Reference {
  /** The properties that lead to the object with the key, also through the items of lists. Absent: the record. */
  within?: string[]
  /** The property of the body that has the key, or the parameter of the path. */
  from: string
  in?: 'path'
  /** The property that has the other record, or a list of such records. */
  property: string
  isList?: true
  /** The properties of the other record that may have the key, the likeliest first. Absent if only the key is shown. */
  keys?: [property: string, types: JsonType[]][]
  /** Absent if no collection is known to have the record. */
  collection?: string
  /** Shape of the other record. */
  shape?: number
  /** The property with the keys of records that paths relate to this one. */
  relation?: string
  /** The status of the refusal if no record has the key. Absent if the document does not describe one: then it is shown. */
  unknown?: UnknownStatus
}

export type UnknownStatus = 400 | 404 | 422

/** A body that does not depend on the state. */
export interface FixedBody {
  /** JSON text, or text of another media type. */
  body?: string
  /** In place of text, bytes in Base64. */
  base64?: string
  /** For a JSON body. */
  ensure?: Ensure
  /** The property that shows the key of a new record. Empty if the whole body is the key. */
  keyName?: string
  /** A record of another collection that the answer names, such as a job that has begun. */
  starts?: StartedRecord
}

/** Values of an answer that are not those of a record: what the request has, and keys that are new in each answer. */
export interface ValueUse {
  kind: 'values'
  values: AnswerValue[]
  /** The properties that lead to the record in the answer. */
  record?: string[]
  /** An answer that is not valid with them has none of them. */
  ensure: Ensure
}

export interface AnswerValue {
  /** The property of the answer, or of an object in it. */
  pointer: string[]
  /** The parameter or the property of the body that has the value. */
  from?: ['path' | 'body', name: string]
  /** The types of the property, if it has the value of a parameter or property. */
  types?: JsonType[]
  /** The plan of a new value. */
  plan?: number
  /** Where a correction says that it comes from. Its record is that of the answer. */
  chosen?: ChosenValue
  /** Whether the real service was seen to answer so, also where the document does not allow it. */
  isRecorded?: true
  /** It is a bearer token of the world: for the user, and of the client, in these properties of the body. */
  token?: { user?: string; client?: string }
  /** Whether it is the time of the answer, and how that is written. @default as an RFC 3339 date-time */
  isNow?: true
  as?: TimeForm
}

/** A record that exists from the answer on, because the answer shows its key. */
export interface StartedRecord {
  collection: string
  /** The property of the answer that shows the key. Absent if only the header does. */
  keyName?: string
  /** The header of the answer with its address, and the path of a record. */
  location?: { header: string; path: string }
  /** Other properties of the answer that the record has, too, each with its name there. */
  properties: [shown: string, own: string][]
  /** What the service writes in it. Absent if nothing. */
  serviceWritten?: ServiceWritten[]
}

export interface CreateEffect extends Success, ChangeAccess {
  kind: 'create'
  /** The path parameter with the key of the new record. Absent if the body or the service provides it. */
  parameter?: string
  /** The property of the body with the key, if records have it under another name. */
  keyName?: string
  /** Keys in the examples of its own request: a record of the scenario with one of them is replaced. */
  exampleKeys?: string[]
  /** Whether such a key replaces any record, as often as it is sent, because no conflict is documented. */
  isRepeatable?: true
  /** The status of the answer with the record that has a unique value of the request already, in place of a refusal. */
  existing?: number
  /** Whether it replaces the record whose key the request has. 404: there has to be one. */
  upserts?: true | 404
  shape: number
  serviceWritten: ServiceWritten[]
  ensure?: Ensure
}

export interface KeyedEffect extends Success, ChangeAccess {
  kind: 'read' | 'replace' | 'update' | 'remove' | 'action'
  /** The path parameter that holds the key. Empty for a record that exists once. */
  parameter: string
  /** The place of the key if it is not in the path: the query, a property of the body, or a header. */
  keyIn?: 'query' | 'body' | 'header'
  /** The status if the record did not exist and is created. For `replace` and `update`. */
  creates?: number
  /** Objects in the record that an update merges, instead of replacing them. */
  merges?: MergedObject[]
  /** Properties that requests cannot have, and that a replacement keeps. */
  keeps?: string[]
  /** What an action sets, or the answer to a removal says. */
  sets?: FieldChange[]
  /** Properties of the body of an action that the record has, too, each with its name there. */
  takes?: [sent: string, own: string][]
  /** Whether an action makes a new record with the values of the one that its path names. */
  copies?: true
  /** Whether a removal only ends the relation in the path, because the record has its own path. */
  detaches?: true
  shape: number
  /** Properties that the service writes: kept on replace and update, or written again. */
  serviceWritten: ServiceWritten[]
  /** Shape of the properties that callers write: the service writes all others. For replace and update. */
  writable?: number
  /** Number of the validator that a changed record must satisfy. For replace and update. */
  validateChanged?: number
  ensure?: Ensure
}

/** A value that a change requires. */
export interface NeededState {
  property: string
  values: unknown[]
  /** The status of a refusal. @default 409 */
  status?: number
}

/** Records that keep one from being removed. */
export interface BlockingRecords {
  collection: string
  /** The property with the key of the other record, or with a list of keys. */
  property: string
  status: number
  /** The property with their state, and the states in which they do. Absent: in all. */
  state?: string
  values?: unknown[]
}

/** An object whose properties are changed one by one. */
export interface MergedObject {
  property: string
  /** Values that remove a property of the object, or all of them if sent in place of the object. */
  unset?: unknown[]
}

/** A property that the service fills in: with the next key, the time of the world's clock, or a constant. */
export interface ServiceWritten {
  property: string
  with: 'key' | 'now' | 'constant'
  value?: unknown
  /** How a time is written. @default as an RFC 3339 date-time */
  as?: TimeForm
  /** Only the service writes it, and replace keeps its value. Otherwise it is the default of an optional property. */
  owned?: boolean
  /** Written again by each replace and update. */
  again?: boolean
  /** Only set if a property of the record has one of these values. */
  only?: [property: string, values: unknown[]]
}

/** A property that an action or a removal sets: to a value, or to the time of the world's clock. */
export interface FieldChange {
  property: string
  with: 'constant' | 'now'
  value?: unknown
  /** How a time is written. @default as an RFC 3339 date-time */
  as?: TimeForm
}

/**
 * An RFC 3339 full-date, a date and time as in SQL (`2026-01-01 00:00:00`) or in RFC 5322 (`Thu, 01 Jan 2026 00:00:00 +0000`),
 * or the time since 1970 in seconds or milliseconds, as a number or a text (`/Date(1767225600000)/` is one, too). A sample is a
 * constant in which every `sampleTime`, in any of these forms, is replaced.
 */
export type TimeForm =
  | 'date'
  | 'spaced'
  | 'mail'
  | 'seconds'
  | 'milliseconds'
  | 'seconds-text'
  | 'milliseconds-text'
  | 'date-text'
  | 'sample'

/** The time of all samples: 2026-01-01 in milliseconds since 1970. */
export const sampleTime = 1767225600000

export interface ExampleEffect extends Success, FixedBody, Pick<RecordAccess, 'place'> {
  kind: 'example'
  /** Whose password it compares. */
  login?: LoginCheck
  /** The list in its body that requests can page through. Absent if there is none. */
  page?: ExamplePage
}

export interface ExamplePage {
  /** The properties that lead to the list. */
  pointer: string[]
  query: ListQuery
  /** Where the request has a list, if the answer has one item for each of its values. */
  repeats?: Repeats
}

export interface Repeats {
  /** The properties that lead to the list in the body of the request. */
  given: string[]
  /** The property of an item that has the value which was sent. */
  key?: string
  /** The property of an item with the number of the value, from 0. */
  index?: string
}

/** The document describes no success response. */
export interface UndescribedEffect {
  kind: 'undescribed'
}
