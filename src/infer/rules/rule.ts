/** A rule decides the effect of an operation, if it applies. */

import type { Source } from '../../behaviour/line.js'
import type { KeptState } from '../../behaviour/model.js'
import type { Method } from '../../contract/contract.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../document/document.js'
import type { VerbKind } from '../../lexicon/verbs.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { OperationFacts } from '../facts/facts.js'
import type { OwnProperty } from '../facts/find-own-property.js'
import type { FoundResources, Resource } from '../paths/resource.js'

/** The effect of an operation, and its reason. */
export interface Verdict {
  effect: EffectKind
  state?: KeptState
  /** @default the resource of the node */
  resource?: Resource | undefined
  /** The property of the record that the body is about. */
  at?: OwnProperty
  /** The list of the record to which it adds what is sent. */
  adds?: OwnProperty
  /** The list of the record from which it takes an item, and the parameter that names it. */
  drops?: [property: string, parameter: string]
  /** The property of the record that it empties. */
  takes?: string
  /** Whether it shows a record above its path, and not all of it. */
  isBelow?: true
  /** The rule that decided. Absent if none did. */
  rule?: string
  /** How often the rule is right. Absent if no label tells. */
  right?: Shares | undefined
  /** A sentence without a full stop. */
  reason: string
  sure: 'high' | 'medium' | 'low'
}

/** Facts about the verb at the end of a path. */
export interface RpcFacts {
  kind: VerbKind
  /** The resource before the verb. */
  resource: Resource
  /** Whether the verb follows the path of one record. */
  isOfItem: boolean
}

export interface RuleInput extends OperationFacts {
  document: OpenApiDocument
  rpc: RpcFacts | undefined
  /** The collection with the record that a link of the answer reads, and the property of the answer that names it. */
  linked: { resource: Resource; property: string } | undefined
  /** The collection whose records have the schema of the answer. */
  shownCollection: Resource | undefined
  /** The same for a part of the answer: `{"token": "x", "user": {…}}` */
  shownInside: Resource | undefined
  /** Whether the answer contains the key property of a resource. */
  answersKey(resource: Resource): boolean
  /** Whether an RPC operation shows or deletes records of a resource. */
  isShown(resource: Resource): boolean
  /** Whether RPC operations both add records of a resource and read, list or delete them. */
  isKept(resource: Resource): boolean
  /** How many properties a record has. */
  recordSize: number
  /** The resource of this path, or of the record with this path. */
  resource: Resource | undefined
  /** The resource of the path without its last segment. */
  above: Resource | undefined
  /** The resource of the owner in the path. */
  owner: Resource | undefined
  /** The facts of any operation. */
  factsOf(operation: DescribedOperation): OperationFacts
  /** The facts of another method of the same path. */
  other(method: string): OperationFacts | undefined
  resources: FoundResources
}

/** `backed`: it is sure, and its collection has an operation on one record and one on all of them. */
export type Shares = Readonly<Partial<Record<Verdict['sure'] | 'backed', number>>>

export interface Rule {
  /** What `explain --json` names it by. */
  id: string
  /** The member of the vocabulary that it decides. */
  says: 'effect'
  /** What it mostly goes by. */
  from: Source
  methods: readonly Method[]
  /** For how many providers it decides something. Written by `npm run bench rules -- --write`, like `right`. */
  providers: number
  /** Of labelled documents for whose operations it decides, the share for which it is right, by how sure it is. */
  right?: Shares
  find(input: RuleInput): Verdict | undefined
}

/** The methods that rules handle. Others change nothing. */
export const allMethods: readonly Method[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']

/** The verdict for a request with a file. */
export const upload: Verdict = { ...does('create', 'medium', 'it uploads a file'), state: 'file' }

/** The verdict of the first rule that has one. */
export function firstVerdict(rules: readonly Rule[], input: RuleInput): Verdict | undefined {
  for (const rule of rules) {
    const verdict = rule.methods.includes(input.method) ? rule.find(input) : undefined
    if (verdict) return { ...verdict, rule: rule.id, right: rule.right }
  }
  return undefined
}

/** @param resource the resource, if it is not that of the path */
export function does(effect: EffectKind, sure: Verdict['sure'], reason: string, resource?: Resource): Verdict {
  return { effect, resource, reason, sure }
}

/** An answer from examples, because no state is known. */
export function example(reason: string, sure: Verdict['sure'] = 'medium', state: KeptState = 'none'): Verdict {
  return { effect: 'example', state, resource: undefined, reason, sure }
}
