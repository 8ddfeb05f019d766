/** The types of effects: synchronous, deterministic functions of the world, the request and its context. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import type { Effect, EffectKind, KeyedEffect } from '../../contract/effects/effect.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { Progress } from '../finish.js'
import type { Memo } from '../memo.js'
import type { Outcome } from '../outcome.js'
import type { SandboxRequest } from '../request/request.js'
import type { ValidRequest } from '../validate.js'
import type { PlacedProgress } from './records.js'

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
  /** Reads records whose state follows the clock. Absent if there are none. */
  openProgress: ((model: CollectionModel, now: number) => PlacedProgress) | undefined
  /** The outcome with only the properties that the request chooses. Absent if no operation lets requests choose. */
  showChosen: ((input: EffectInput, outcome: Outcome) => Outcome) | undefined
  /** What the record says of a file that is sent with it. Absent without one. */
  described?: Values
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
