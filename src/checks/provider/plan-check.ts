/** Prepares a check: the operations to check, and the data that probes need. */
import type { Contract, Operation } from '../../contract/contract.js'
import type { Effect, Owner, PathScope } from '../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../document/document.js'
import { type Client, createClient, type SendRequest } from './client.js'
import { createResponseJudges, type ResponseJudges } from './judges/judge-response.js'
import { createProbeRunner, type ProbeRunner } from './probe-runner.js'
import {
  type CreatedRecords,
  findCollections,
  type ProviderCollection,
  recordOf,
  trackCreatedRecords,
} from './provider-collection.js'
import { createSubjects, type Subject } from './requests/checked-operation.js'
import type { Caller, Draft } from './requests/request-draft.js'
import { createUniqueValues, type UniqueValues } from './requests/unique-values.js'
import type { ParsedResponse } from './rules/answer.js'
import type { Workflows } from './workflows/workflows.js'

export interface CheckOptions {
  contract: Contract
  document: OpenApiDocument
  /** Address of the service with its base path, without a trailing slash. */
  baseUrl: string
  /** Name of the server in the document that the address belongs to. */
  server: string
  /** A key that is valid at the provider; empty if the document requires none. */
  key: string
  /** A valid key of another account, which has none of the records of the first. @default none */
  otherKey?: string | undefined
  /** Name of the shell variable that replaces the key in curl lines, as the key itself is never shown. */
  keyVariable: string
  /** Whether requests may change the provider's data. */
  canWrite: boolean
  /** Maximum number of requests per second. @default no limit */
  rate?: number | undefined
  /** Limit for one request, in milliseconds; the clean-up at the end gets the same. @default 10000 */
  timeoutMs?: number
  /** Limit for one response body, in bytes. @default 4194304 (4 MiB) */
  maxBytes?: number
  /** Makes generated requests repeatable. @default 1 */
  seed?: number
  /** Number of bodies to generate for each operation, in addition to those at its bounds. @default 10 */
  generated?: number
  /** After it is aborted, the check stops probing, removes the records that it created, and returns its findings. */
  signal?: AbortSignal | undefined
  /** Answers requests in place of the service at the address, e.g. in this process. @default over HTTP */
  sendRequest?: SendRequest | undefined
  /** The steps of an Arazzo document, which are followed after all probes. @default none */
  workflows?: Workflows | undefined
  /** Methods and paths that consumers use. They are checked first. @default in the order of the document */
  used?: ReadonlySet<string> | undefined
  /** Called before each request, with the number of requests so far and the id of the operation being checked. */
  onProgress?: (progress: { sent: number; operation: string }) => void
  /** Called before the check fails unexpectedly, with the notes so far, such as which records remain. */
  onFailure?: (notes: readonly string[]) => void
}

/** Everything that the parts of one check share. */
export interface CheckPlan
  extends Pick<CheckOptions, 'contract' | 'document' | 'canWrite' | 'keyVariable' | 'rate'>,
    Required<Pick<CheckOptions, 'timeoutMs'>> {
  caller: Caller
  client: Client
  runner: ProbeRunner
  judges: ResponseJudges
  /** Knowledge about values that the provider accepts only once. */
  unique: UniqueValues
  /** The operations to check. */
  subjects: readonly Subject[]
  collections: readonly ProviderCollection[]
  /** Every record that a probe creates is added here, so that it is removed at the end. */
  created: CreatedRecords
  /** Sentences without a full stop: what was not checked or not removed, and why. */
  notes: Set<string>
  /** Sets the operation that is reported as progress. */
  startOperation(id: string): void
}

/** Prepares the check without sending a request. */
export function planCheck(options: CheckOptions): CheckPlan {
  const { document, baseUrl, server, key, keyVariable, canWrite, sendRequest, onProgress, signal } = options
  const contract = withSimpleEffects(options.contract)
  const { rate, timeoutMs = 10_000, maxBytes = 4 * 1024 * 1024, seed = 1, generated: count = 10 } = options
  const caller: Caller = { baseUrl, contract, key, otherKey: options.otherKey }
  const isUsed = ({ operation: { method, path } }: Subject) => options.used?.has(`${method} ${path}`) === true
  const notes = new Set<string>()
  const all = createSubjects({ contract, document, seed, count }, server).filter(({ operation: { id, path } }) => {
    const [twin] = twinsOf(contract, path)
    const isFirst =
      !twin || contract.operations.findIndex((each) => each.path === path) < contract.operations.indexOf(twin)
    if (!isFirst) notes.add(`${id} was not checked: its path is also ${twin.path}`)
    return isFirst
  })
  const subjects = all.toSorted((one, other) => Number(isUsed(other)) - Number(isUsed(one)))
  const judges = createResponseJudges(contract, document)
  const unique = createUniqueValues(contract, subjects, seed)
  let operation = ''
  const onSent = (sent: number) => onProgress?.({ sent, operation })
  const collections = findCollections(contract, subjects)
  const created = trackCreatedRecords()
  const onSuccess = ({ operation: { effect } }: Draft, response: ParsedResponse) => {
    const collection = effect.kind === 'create' && collections.find(({ model }) => model.name === effect.collection)
    const key = collection && recordOf(response, effect)?.[collection.model.key]
    if (collection && key !== undefined) created.note(collection, key)
  }
  const client = createClient({ timeoutMs, maxBytes, rate, sendRequest, onSent, signal })
  return {
    contract,
    judges,
    runner: createProbeRunner({ client, caller, judges, unique, keyVariable, onSuccess }),
    unique,
    canWrite,
    created,
    caller,
    client,
    subjects,
    collections,
    document,
    keyVariable,
    timeoutMs,
    rate,
    notes,
    startOperation(id) {
      operation = id
    },
  }
}

/**
 * A contract in which only operations on whole records have an effect: top-level records, and records below them at any
 * depth. All others are checked one by one, like those that answer with an example.
 */
function withSimpleEffects(contract: Contract): Contract {
  const top = new Set(
    contract.operations.flatMap(({ effect }) =>
      'collection' in effect && isSimple(effect) && !isPlaced(effect.place) ? [effect.collection] : [],
    ),
  )
  const known = new Set(top)
  const isKnown = (effect: Effect) => {
    const owner = ownerOf(effect)
    if (owner === undefined) return isSimple(effect)
    return isSimple(effect) && known.has(owner.collection)
  }
  for (let size = -1; size < known.size; ) {
    size = known.size
    for (const { effect } of contract.operations) {
      if ('collection' in effect && effect.collection && isKnown(effect)) known.add(effect.collection)
    }
  }
  const operations = contract.operations.map((operation): Operation => {
    const { effect } = operation
    // A PUT that updates may also replace, as RFC 9110 says: no provider is wrong.
    const isJudged =
      isKnown(effect) && !(operation.method === 'PUT' && effect.kind === 'update') && !isNarrowed(operation)
    return isJudged ? operation : { ...operation, effect: toExample(effect) }
  })
  return { ...contract, operations }
}

/** Other paths that are the same but for the names of parameters, which must not exist (OpenAPI 3.1, section 4.8.8). First ones first. */
export function twinsOf({ operations }: Contract, path: string): Operation[] {
  const shape = (each: string) => each.replace(/\{[^{}/]*\}/g, '{}')
  return operations.filter((other) => other.path !== path && shape(other.path) === shape(path))
}

/** The nearest owner in the path of an effect. Undefined if there is none. */
export function ownerOf(effect: Effect): Owner | undefined {
  return ownersOf(effect).at(-1)
}

/** The owners in the path of an effect, outermost first. */
export function ownersOf(effect: Effect): readonly Owner[] {
  return ('collection' in effect && effect.place?.owners) || []
}

/** Whether a path selects records by nothing else than the records that it is below, which they may show in a property. */
function isBelowOwners({ values, owners }: PathScope): boolean {
  const isOwner = (parameter: string) => owners.some((owner) => owner.parameter === parameter)
  return (
    owners.length > 0 &&
    owners.every((owner) => owner.values.every(({ parameter }) => isOwner(parameter))) &&
    values.every(({ parameter, property }) => isOwner(parameter) && !property.includes('/'))
  )
}

/** Whether a list has only some records, by a part of its path that no property has. */
function isNarrowed({ effect, parameters }: Operation): boolean {
  const known = 'place' in effect && effect.place ? [...effect.place.values, ...effect.place.owners] : []
  const isFree = (name: string) => known.every(({ parameter }) => parameter !== name)
  return effect.kind === 'list' && parameters.some((each) => each.in === 'path' && isFree(each.name))
}

/** Whether a path selects records by anything else than the key. */
function isPlaced(place: PathScope | undefined): boolean {
  return place !== undefined && place.values.length + place.owners.length > 0
}

function isSimple(effect: Effect): boolean {
  if (!('collection' in effect)) return true
  if (effect.place && isPlaced(effect.place) && !isBelowOwners(effect.place)) return false
  if (effect.envelope?.isMap || effect.aliases || 'givenAliases' in effect || effect.kind === 'action') return false
  if (effect.kind === 'list') return true
  if (effect.answer && effect.kind !== 'remove') return false
  return effect.kind === 'create' ? effect.parameter === undefined : effect.parameter !== '' && !effect.keyIn
}

/** An effect of which only success is expected. */
export function toExample(effect: Effect): Effect {
  if (!('status' in effect)) return effect
  const { status, mediaType, headers } = effect
  return {
    kind: 'example',
    status,
    ...(mediaType !== undefined && { mediaType }),
    ...(headers && { headers }),
  }
}
