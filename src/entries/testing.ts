/** Helpers for tests: seed a record, make a request fail once, read the calls, and judge them by the contract. */
import type { EndState, ExpectedCalls, ExpectedRecords } from '../checks/consumer/read-end-state.js'
import { type Finding, type Severity, severities } from '../checks/finding.js'
import type { CollectionModel, Contract, RequestContract } from '../contract/contract.js'
import type { AnyDocument, BodyOf, CollectionName, DocumentTypes, OperationId } from '../contract/document-types.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { contract as bundledContract, requestContract } from '../generated/contract.js'
import { plans as bundledPlans, recordPlans as bundledRecordPlans } from '../generated/record-plans.js'
import { findNonJson } from '../json/find-non-json.js'
import { ownValue } from '../json/own-value.js'
import { toTyped } from '../json/typed-value.js'
import type { Engine } from '../sandbox/create-engine.js'
import type { ExchangeFilter, WaitOptions } from '../sandbox/facade/exchanges.js'
import type { Fault, FaultRule } from '../sandbox/facade/faults.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { Override } from '../sandbox/overrides/override-types.js'
import type { Exchange } from '../state/journal.js'
import { type ValidatingContract, violationsOfRecord } from '../state/scenario.js'
import type { WorldState } from '../state/snapshots/world-state.js'
import type { Values } from '../state/stored-record.js'
import { findCollection } from '../state/stored-world.js'
import { completeRecord, ownersOf } from './examples/complete-record.js'

/** Options of `seed`. */
export interface SeedOptions {
  /** The key of the world. @default the first valid key */
  key?: string
  /** Name of a server of the document. @default the first one that has the collection */
  environment?: string
  /** Whether a record that violates its schema is refused. @default true */
  validate?: boolean
}

/** Selects exchanges. */
export type CallFilter = Omit<ExchangeFilter, 'operation'>

/** A request to an operation. */
export interface Call<Body = unknown> {
  /** The sent body: parsed JSON, or the text if it is not JSON. Undefined without a body. */
  body: Body
  /** The status of the answer. */
  status: number
  exchange: Exchange
}

/**
 * Adds a record to a collection. Missing required values are made by the schema, always the same. A nested record belongs to
 * the newest owner.
 * @returns the record with its key
 * @throws SandboxError `INVALID_RECORD` with each violation of the schema, and for values that no record can have;
 * `DUPLICATE_KEY` for a key that is taken
 *
 * @example
 * const rex = await seed(sandbox, 'books', { title: 'Emma' })
 */
export async function seed<Types extends DocumentTypes = AnyDocument, Name extends CollectionName<Types> = string>(
  sandbox: Sandbox<Types>,
  collection: Name,
  values: Partial<Types['collections'][Name]> = {},
  { key, environment, validate = true }: SeedOptions = {},
): Promise<Types['collections'][Name]> {
  const world = (sandbox as Sandbox).world(key)
  const records = world.collection(collection, environment)
  const { contract } = sandbox
  const model = findCollection(contract, collection, environment)
  const parts = toRecordParts(contract)
  const newest = new Map<string, Values | undefined>()
  for (const owner of ownersOf(model)) newest.set(owner, (await world.collection(owner).list({ limit: 1 }))[0])
  const record = completeRecord(parts, model, values, { size: await records.size(), newest })
  if (!record) throw new SandboxError('INVALID_RECORD', `No record of ${collection} can have such values`)
  const { recordValidators } = parts
  if (validate && recordValidators) checkRecord({ ...contract, recordValidators }, model, record)
  // Keys are given by the collection.
  return (await records.add({ ...record, [model.key]: ownValue(values, model.key) })) as Types['collections'][Name]
}

type RecordParts = Pick<Contract, 'plans' | 'recordPlans'> & Partial<Pick<Contract, 'recordValidators'>>

/** The parts that make and validate records. Modules from `export msw` have no record validators. */
function toRecordParts(contract: RequestContract & Partial<Contract>): RecordParts {
  // The operations differ if they have HTTP semantics.
  const isBundled = contract.recordPlans === undefined && contract.shapes === requestContract.shapes
  if (!isBundled) return contract
  return { plans: bundledPlans, recordPlans: bundledRecordPlans, recordValidators: bundledContract.recordValidators }
}

/** @throws SandboxError `INVALID_RECORD` */
function checkRecord(contract: ValidatingContract, { name, key, keyKind }: CollectionModel, values: Values): void {
  // Values that are not JSON are refused when the record is added.
  if (findNonJson(values) !== undefined) return
  const record: Record<string, unknown> = { ...values }
  // Convert the key to the stored type.
  if (Object.hasOwn(record, key)) record[key] = toTyped(record[key], [keyKind === 'integer' ? 'integer' : 'string'])
  const violations = violationsOfRecord(contract, name, record)
  if (violations.length === 0) return
  const problem = violations.map(({ message }) => message).join('; ')
  const wayOut = 'With the option { validate: false } it is added as it is'
  throw new SandboxError('INVALID_RECORD', `Failed to add a record to "${name}": ${problem}. ${wayOut}`)
}

/**
 * Makes the next request of an operation fail, wait or break off, once. The following request succeeds.
 * @example
 * await once(sandbox, 'createBook', { status: 500 })
 */
export function once<Types extends DocumentTypes = AnyDocument>(
  sandbox: Sandbox<Types>,
  operation: OperationId<Types>,
  rule: Omit<FaultRule, 'operation' | 'times'>,
): Promise<Fault> {
  return sandbox.faults.add({ ...rule, operation, times: 1 } as never)
}

/**
 * Adds the team's own code for an operation, before the code that it has: `next()` calls that, or does what the behaviour says. With
 * Vitest it is removed after the test; elsewhere the returned function does that.
 * @param name `METHOD /path` as the document writes it, an operation id, or `*` for every operation
 * @throws SandboxError `INVALID_OPTION` for an unknown operation
 *
 * @example
 * await override(sandbox, 'createBook', ({ refuse }) => refuse(409, 'The book exists already'))
 */
export async function override(
  sandbox: Sandbox,
  name: string,
  code: Override,
): Promise<(() => void) & { [Symbol.dispose](): void }> {
  const { useOverrides } = await import('./use-overrides.js')
  const remove = useOverrides(sandbox.engine as Engine).add({ [name]: code })
  await removeAfterTest(remove)
  return Object.assign(remove, { [Symbol.dispose ?? 'dispose']: remove }) as never
}

/** Outside of a test of Vitest it does nothing. */
async function removeAfterTest(remove: () => void): Promise<void> {
  if (!('__vitest_worker__' in globalThis)) return
  const { onTestFinished } = await import('vitest')
  try {
    onTestFinished(remove)
  } catch {
    // For example in a hook for all tests of a file.
  }
}

/**
 * The requests to an operation that the journal keeps, oldest first.
 * @example
 * expect(calls(sandbox, 'createBook').map(({ body }) => body)).toEqual([{ title: 'Emma' }])
 */
export function calls<Types extends DocumentTypes = AnyDocument, Id extends OperationId<Types> = OperationId<Types>>(
  sandbox: Sandbox<Types>,
  operation: Id,
  { key }: Pick<CallFilter, 'key'> = {},
): Call<BodyOf<Types, Id>>[] {
  const exchanges: Exchange[] = sandbox.journal.list(key)
  return exchanges.filter((each) => each.operation === operation).map((each) => toCall(each))
}

/**
 * Waits for a request of an operation: one that the journal has, or the next one.
 * @throws SandboxError `TIMED_OUT` after `timeoutMs`
 * @example
 * const { body } = await waitForCall(sandbox, 'createBook')
 */
export async function waitForCall<
  Types extends DocumentTypes = AnyDocument,
  Id extends OperationId<Types> = OperationId<Types>,
>(sandbox: Sandbox<Types>, operation: Id, options: CallFilter & WaitOptions = {}): Promise<Call<BodyOf<Types, Id>>> {
  const { timeoutMs, ...filter } = options
  const found = (sandbox as Sandbox).exchanges.wait(
    { ...filter, operation },
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  return toCall(await found)
}

/** Selects what is judged. */
export interface ViolationOptions {
  /** Only requests with this key. @default all requests */
  key?: string
}

/**
 * Judges the requests that the journal keeps by the rules of `petstore-sandbox run`: one finding for each rule, operation and
 * place that is violated. A refusal that a request announces with `Sandbox-Expect` is none. Clients may hide errors from a test;
 * nothing hides a request from the journal.
 * @returns in the order of their first occurrence; empty if the contract is kept
 * @example
 * expect(await violations(sandbox, { key })).toEqual([])
 */
export async function violations<Types extends DocumentTypes = AnyDocument>(
  sandbox: Sandbox<Types>,
  { key }: ViolationOptions = {},
): Promise<Finding[]> {
  const { isOfKey, judgeExchanges } = await import('./judge-exchanges.js')
  const exchanges: Exchange[] = sandbox.journal.list()
  return judgeExchanges(
    sandbox.contract,
    exchanges.filter((exchange) => isOfKey(exchange, key)),
  )
}

/**
 * Fails if requests violate the contract: see `violations`.
 * @param options.failOn the mildest severity that fails. @default 'error'
 * @throws SandboxError `VIOLATED_CONTRACT` with each violation, how to fix it, and the request
 * @example
 * afterEach(() => expectNoViolations(sandbox))
 */
export async function expectNoViolations<Types extends DocumentTypes = AnyDocument>(
  sandbox: Sandbox<Types>,
  { failOn = 'error', ...options }: ViolationOptions & { failOn?: Severity } = {},
): Promise<void> {
  if (!severities.includes(failOn)) throw unknownName('severity', failOn, severities)
  const { refuseViolations } = await import('./judge-exchanges.js')
  refuseViolations(sandbox.contract, await violations(sandbox, options), failOn)
}

/** Options of `expectEndState`. */
export interface EndStateOptions {
  /** What `world.snapshot()` resolved to before. @default the scenario */
  since?: WorldState
}

/**
 * Fails if records, changes or calls are not as expected at the end: see `EndState`. Requests are those that the journal keeps; the
 * sandbox of `petstore-sandbox/msw` does not know which of them made a change.
 * @throws SandboxError `VIOLATED_CONTRACT` with each difference and the request that made it, `INVALID_OPTION` for an expectation that
 * does not fit the document
 * @example
 * await expectEndState(sandbox, { records: { '/books': [{ where: { title: 'Emma' }, count: 1 }] } })
 */
export async function expectEndState<Types extends DocumentTypes = AnyDocument>(
  sandbox: Sandbox<Types>,
  expected: EndState,
  { since }: EndStateOptions = {},
): Promise<void> {
  const { judgeEndState } = await import('./judge-end-state.js')
  const { refuseViolations } = await import('./judge-exchanges.js')
  const { contract, journal } = sandbox
  const world = (sandbox as Sandbox).world((expected as EndState | undefined)?.world)
  const exchanges: Exchange[] = journal.list(world.key)
  refuseViolations(
    contract,
    await judgeEndState(expected, contract, { world, exchanges, since }),
    'error',
    'difference',
    'from the end that is expected',
  )
}

function toCall<Body>(exchange: Exchange): Call<Body> {
  const { body } = exchange.request
  return { body: parse(body) as Body, status: exchange.response.status, exchange }
}

function parse(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export type { EndState, Exchange, ExpectedCalls, ExpectedRecords, Fault, FaultRule, Finding, Sandbox, Severity }
