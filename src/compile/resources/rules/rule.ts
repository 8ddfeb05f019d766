/** A rule: says what an operation does, if it can tell. */
import type { Method } from '../../../contract/contract.js'
import type { EffectKind } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../document.js'
import type { OperationFacts } from '../facts/facts.js'
import type { FoundResources, Resource } from '../paths/resource.js'
import type { VerbKind } from '../paths/verbs.js'

/** What is kept besides one record. */
export type KeptState = 'none' | 'record' | 'file' | 'bulk-create' | 'bulk-replace' | 'bulk-remove'

/** What an operation does, and why. */
export interface Verdict {
  effect: EffectKind
  state?: KeptState
  /** @default the resource of the node */
  resource?: Resource | undefined
  /** A sentence without a full stop. */
  reason: string
  sure: 'high' | 'medium' | 'low'
}

/** What an operation does by the verb at the end of its path. */
export interface RpcFacts {
  kind: VerbKind
  /** The resource that the verb stands behind. */
  resource: Resource
  /** Whether the verb stands behind the path of one record. */
  isOfItem: boolean
}

export interface RuleInput extends OperationFacts {
  document: OpenApiDocument
  rpc: RpcFacts | undefined
  /** The collection whose records have the schema of the answer. */
  shownCollection: Resource | undefined
  /** Whether the answer has the key of records of a resource. */
  answersKey(resource: Resource): boolean
  /** Whether an RPC operation shows or deletes records of a resource. */
  isShown(resource: Resource): boolean
  /** How many properties a record has. */
  recordSize: number
  /** The resource whose path, or whose record's path, this is. */
  resource: Resource | undefined
  /** The resource of the path without its last segment. */
  above: Resource | undefined
  /** The resource of the record that the path is below. */
  owner: Resource | undefined
  /** The facts of another method of the same path. */
  other(method: string): OperationFacts | undefined
  resources: FoundResources
}

export interface Rule {
  name: string
  methods: readonly Method[]
  judge(input: RuleInput): Verdict | undefined
}

export function rule(name: string, methods: Rule['methods'], judge: Rule['judge']): Rule {
  return { name, methods, judge }
}

/** The methods that rules are about. Others only ask. */
export const allMethods: readonly Method[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']

/** Whether a request says which properties it changes: `updateMask`, `fieldsToUpdate` */
export function hasMask({ operation, body }: RuleInput): boolean {
  const names = [...operation.parameters.map(({ value }) => value.name), ...(body.flat?.properties.keys() ?? [])]
  return names.some((name) => /^(update_?mask|field_?mask|(fields|properties)_?to_?update|update_?fields)$/i.test(name))
}

/** What a request with a mask does. */
export const masked: Verdict = does('update', 'high', 'it says which properties it changes')

/** What a request with a file does. */
export const upload: Verdict = { ...does('create', 'medium', 'it uploads a file'), state: 'file' }

export const computesFile: Rule = rule('POST that answers a file', ['POST'], ({ answersMedia, body }) =>
  answersMedia && !body.isFile ? example('it computes a file') : undefined,
)

/** The verdict of the first rule that has one. */
export function firstVerdict(rules: readonly Rule[], input: RuleInput): Verdict | undefined {
  for (const rule of rules) {
    const verdict = rule.methods.includes(input.method) ? rule.judge(input) : undefined
    if (verdict) return verdict
  }
  return undefined
}

/** @param resource another one than that of the path */
export function does(effect: EffectKind, sure: Verdict['sure'], reason: string, resource?: Resource): Verdict {
  return { effect, resource, reason, sure }
}

/** An answer from examples, because nothing is known to be kept. */
export function example(reason: string, sure: Verdict['sure'] = 'medium', state: KeptState = 'none'): Verdict {
  return { effect: 'example', state, resource: undefined, reason, sure }
}
