/** The types of effects: synchronous, deterministic functions of the world, the request and its context. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import type {
  CreateEffect,
  Effect,
  EffectKind,
  Envelope,
  ExampleEffect,
  ExamplePage,
  FixedBody,
  KeyedEffect,
  ListEffect,
  PathScope,
  RecordAccess,
  StartedRecord,
} from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import type { CreateIdentity } from '../../state/identity.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { Progress } from '../finish.js'
import type { Memo } from '../memo.js'
import type { Answer, Outcome, Refusal } from '../outcome.js'
import type { SandboxRequest } from '../request/request.js'
import type { ValidRequest } from '../validate.js'
import type { Records } from './records.js'
import type { Sampler } from './sampler.js'

export interface EffectInput<E extends Effect = Effect> {
  contract: RequestContract
  operation: Operation
  effect: E
  /** The collection of the effect. The compiler ensures that it exists if the effect names one. */
  model: CollectionModel
  world: StoredWorld
  /** Name of the server whose collections are used. */
  server: string
  /** The query as it was received, without the question mark. */
  query: string
  request: ValidRequest
  /** The request as it was sent. */
  sent: SandboxRequest
  context: RequestContext
  /** Caches examples, and lists by the state of their collection and the query. */
  lists: Memo<WrittenList>
  /** Makes values that are missing. Absent if the contract needs none. */
  sampler: Sampler | undefined
  /** Undoes the newest changes of a world. Absent if every answer can be written. */
  undoTo: ((world: StoredWorld, length: number) => void) | undefined
  /** Knows which records belong to which. Absent if the contract needs none. */
  relations: Relations | undefined
}

/** The input of an effect without the world and the request. Read before the first attempt. */
export interface RequestContext {
  /** Milliseconds since 1970, by the clock of the world. */
  now: number
  /** Seed for repeatable random choices: the number of the request in its world. Another one if a store has it already. */
  seed: number
  /** How the answer is sent, and what is noted about the request. */
  progress: Pick<Progress, 'delivery' | 'notes' | 'unknownReferences'>
}

/** A list as JSON text, and as UTF-8. */
export interface WrittenList {
  text: string
  bytes: Uint8Array
  /** All headers of the answer, if some of them are about the page. @default those of the effect */
  headers?: Record<string, string>
}

/** The functions of effects by kind: all of them, or only those that a contract needs. */
export type Effects = { readonly [Kind in EffectKind]?: ApplyEffect<EffectOf<Kind>> }

type EffectOf<Kind extends EffectKind> = Kind extends KeyedEffect['kind']
  ? KeyedEffect
  : Extract<Effect, { kind: Kind }>

export type ApplyEffect<E extends Effect> = (input: EffectInput<E>) => Outcome

/** A collection by its name. The compiler ensures that it exists. */
export function modelOf({ collections }: RequestContract, name: string): CollectionModel {
  return collections.find((collection) => collection.name === name) as CollectionModel
}

/** A collection of the server of a request, or of its first server if that one does not have it. */
export function storedOf(
  contract: RequestContract,
  world: StoredWorld,
  server: string,
  name: string,
): StoredCollection {
  const { servers } = modelOf(contract, name)
  return world.collection(name, servers.includes(server) ? server : undefined)
}

/** A record that is not stored under the key of a request. */
export interface OtherRecord {
  key: Key
  record: StoredRecord
  /** Where its changes are stored, if not with the other records. */
  collection?: Records
}

/** The part of an engine that knows which records belong to which, and makes them satisfy their schemas. */
export interface Relations {
  createIdentity: CreateIdentity
  /** The records of a collection that a path selects. @returns a refusal if a record that the path is below is missing */
  open(input: EffectInput, place: PathScope, collection: string): Records | Refusal
  /** Puts the text of a record or a list into its envelope. */
  addEnvelope(input: EffectInput, envelope: Envelope, text: string): string
  /** The JSON text of a record in a response. @returns undefined if no valid one can be made */
  textOf(input: EffectInput<CreateEffect | KeyedEffect>, record: StoredRecord): string | undefined
  /** The values that a record is stored with: see `toStorable`. */
  toStorable(input: EffectInput<CreateEffect | KeyedEffect>, values: Values, before?: Values): Values | Refusal
  /** The value of a record as a body shows it. */
  valueOf(input: EffectInput<CreateEffect | KeyedEffect>, values: Values): ExactValue
  /** Answers with a body that does not show the record. @param key the key of a new record */
  answer(input: EffectInput<CreateEffect | KeyedEffect>, answer: FixedBody, key?: Key): Outcome
  /** Adds the record that an answer names, and answers with its key. */
  start(input: EffectInput, answer: FixedBody, started: StartedRecord, fixed: Answer): Outcome
  /** Adds the record that a change names and that does not exist yet. @param missing why it was not found */
  addMissing(input: EffectInput<KeyedEffect>, missing: Refusal, change: (values: Values) => Values | Refusal): Outcome
  /** The key in the query or body of a request, else that of the newest record, else a new key. */
  keyOf(input: EffectInput<KeyedEffect>, records: Records): Key
  /** The record in the body of a request, with the records that it refers to. @param before with what an update merges */
  given(input: EffectInput<CreateEffect | KeyedEffect>, before?: Values): unknown
  /** The record that another of its names leads to, or that of a key that is not stored, if every key has one. */
  findOther(input: EffectInput<KeyedEffect>, records: Records, key: Key): OtherRecord | undefined
  /** Converts the key to the type that a body requires. @param toEnsured makes values valid */
  withOtherKey(values: Values, name: string, toEnsured: (values: Values) => Values | Refusal): Values | undefined
  /** The values without those that no body shows. */
  hide(effect: RecordAccess, values: Values): Values
  /** Changed values with those that no body shows, or that requests cannot have. */
  keepHidden(effect: KeyedEffect, changed: Values, before: Values): Values | Refusal
  /** The values with those that a body shows under another name. */
  rename(effect: RecordAccess, values: Values): Values
  /** Answers with the page of a list that a request chooses. */
  list(input: EffectInput<ListEffect>, collection: Records): Outcome
  /** Cuts the list of an example to the page that a request chooses. @returns undefined if the example has no such list */
  pageExample(
    input: EffectInput<ExampleEffect>,
    page: ExamplePage,
    body: ExactValue,
  ): { text: string; headers: Record<string, string> } | undefined
  /** Removes the records that belong to a removed one, and hidden references to it from others. */
  removeBelow(input: EffectInput, collection: string, record: Values): void
}
