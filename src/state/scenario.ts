/** A scenario: the starting data of worlds. */
import type { CollectionModel, Contract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { judge, type Violation } from '../contract/violations.js'
import { parseExactJson } from '../json/exact-json.js'
import { findNonJson } from '../json/find-non-json.js'
import { isObject } from '../json/own-value.js'
import { toRounded } from '../json/rounding.js'
import { createIdentity } from './identity.js'
import type { Values } from './stored-record.js'

/** Records by the name of their collection. Other collections start empty. */
export interface Scenario {
  readonly [collection: string]: readonly Values[]
}

/** The part of a contract that validates records. */
export type ValidatingContract = Pick<Contract, 'collections' | 'recordValidators'>

/**
 * Parses the JSON text of a scenario without losing digits, and validates each record against the document.
 * @param source name or file to quote in errors
 * @throws SandboxError `INVALID_SCENARIO`
 */
export function parseScenario(contract: Contract, text: string, source: string): Scenario {
  const fail = (why: string) => new SandboxError('INVALID_SCENARIO', `Failed to read the scenario "${source}": ${why}`)
  const read = (() => {
    try {
      return parseExactJson(text)
    } catch (error) {
      throw fail(`${(error as Error).message}. A scenario is a JSON object such as { "<collection>": [ ... ] }`)
    }
  })()
  const rounded = read.rounded as Record<string, unknown[]>
  const problem = finish(findProblem(contract, read.exact, (_, collection, index) => rounded[collection]?.[index]))
  if (problem !== undefined) throw fail(problem)
  return read.exact as Scenario
}

/** Validates a scenario that was given as values. @throws SandboxError `INVALID_SCENARIO` */
export function checkScenario(contract: Contract, scenario: Scenario): Scenario {
  return finish(checkInSteps(contract, scenario))
}

/** The same, but each step validates one record. */
export function* checkInSteps(contract: Contract, scenario: Scenario): Generator<undefined, Scenario> {
  const problem = yield* findProblem(contract, scenario, (record) => (holdsBigint(record) ? toRounded(record) : record))
  if (problem !== undefined) throw new SandboxError('INVALID_SCENARIO', `Failed to use the scenario: ${problem}`)
  return scenario
}

function finish<Result>(steps: Generator<undefined, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The problem of a record of a collection. Undefined if it satisfies the document. */
export function problemOfRecord(contract: Contract, collection: string, record: Values): string | undefined {
  return toProblem(violationsOfRecord(contract, collection, record))
}

/** The violations of a record. Empty if it satisfies the document. */
export function violationsOfRecord(contract: ValidatingContract, collection: string, record: Values): Violation[] {
  const model = contract.collections.find(({ name }) => name === collection)
  return model ? violationsOf(contract, model, record, holdsBigint(record) ? toRounded(record) : record) : []
}

function violationsOf(
  { recordValidators }: ValidatingContract,
  model: CollectionModel,
  record: unknown,
  rounded: unknown,
): Violation[] {
  return judge(recordValidators[model.record], withoutHidden(rounded, model), withoutHidden(record, model), false)
}

function toProblem(violations: readonly Violation[]): string | undefined {
  return violations.length === 0 ? undefined : violations.map(({ message }) => message).join('; ')
}

/** The part of a record that its schema describes. */
function withoutHidden(record: unknown, { hidden }: CollectionModel): unknown {
  if (!hidden || !isObject(record)) return record
  return Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)))
}

/** Finds out whether a copy is needed: copying a million records costs more than validating them. */
function holdsBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Object.values(value).some(holdsBigint)
}

/** @param toRoundedRecord the record with rounded integers, for the validator */
function* findProblem(
  contract: Contract,
  exact: unknown,
  toRoundedRecord: (record: unknown, collection: string, index: number) => unknown,
): Generator<undefined, string | undefined> {
  const { collections } = contract
  const names = collections.map((collection) => collection.name).join(', ')
  if (typeof exact !== 'object' || exact === null || Array.isArray(exact)) {
    return `it must be an object with records by collection; the collections are ${names}`
  }
  for (const [name, records] of Object.entries(exact)) {
    const model = collections.find((collection) => collection.name === name)
    if (!model) return `there is no collection "${name}"; the collections are ${names}`
    if (!Array.isArray(records)) return `"${name}" must be an array of records`
    const keys = new Set<unknown>()
    for (const [index, record] of records.entries()) {
      const place = `${name}[${index}]`
      const wrong = findNonJson(record)
      if (wrong !== undefined) return `${place}: a record must be JSON (got ${wrong})`
      const problem = toProblem(violationsOf(contract, model, record, toRoundedRecord(record, name, index)))
      if (problem !== undefined) return `${place}: ${problem}`
      const key = (record as Values)[model.key]
      if (key === undefined) return `${place}: ${model.key} is required`
      if (
        typeof key === 'bigint'
          ? Number.isSafeInteger(Number(key))
          : typeof key === 'number' && !Number.isSafeInteger(key)
      ) {
        return `${place}: ${model.key} ${key} must be a number up to 2^53-1 or a bigint beyond that`
      }
      const identity = model.scope ? createIdentity(model.key, model.scope).of(record as Values) : key
      if (keys.has(identity)) return `${place}: duplicate ${model.key} ${key}`
      keys.add(identity)
      yield
    }
  }
  return undefined
}
