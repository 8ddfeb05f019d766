/** The public API of the faults of a sandbox. */
import type { RequestContract } from '../../contract/contract.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import { quote } from '../../contract/violations.js'
import type { Fault, FaultRule, Faults } from '../../state/faults.js'
import { namesOf, type WorldId } from '../../state/world-id.js'
import type { Engine } from '../create-engine.js'
import { useShared } from '../worlds.js'
import { checkOptions, type OptionChecks } from './check-options.js'
import { findWorld } from './world.js'

export type { Fault, FaultRule } from '../../state/faults.js'

/**
 * Rules that make requests fail, wait or break off, in the order in which they were added. They do not apply to requests
 * without valid credentials or without an operation.
 *
 * @typeParam Operation the ids of the operations of the document
 * @example
 * // The next two creations fail, and the third one succeeds.
 * await sandbox.faults.add({ operation: 'createBook', times: 2, status: 503 })
 */
export interface SandboxFaults<Operation extends string = string> {
  /**
   * @throws SandboxError `INVALID_OPTION` for a rule without an effect or with an unknown name; `NO_ROOM` if there are
   * already 1000 faults, or if the server has no memory left for it
   */
  add(rule: FaultRule & { operation?: Operation }): Promise<Fault>
  list(): Promise<Fault[]>
  /** Resolves to whether a fault with this id existed. */
  remove(id: string): Promise<boolean>
  clear(): Promise<void>
}

export function createSandboxFaults(engine: Pick<Engine, 'contract' | 'faults' | 'worlds' | 'keys'>): SandboxFaults {
  const { contract, faults: kept, keys, worlds } = engine
  for (const [kind, load] of Object.entries(kept.loads))
    worlds.shared?.connect(kind, (name, state) => {
      if (kind === 'fault' && state) {
        const { id: _, struck: __, ...rule } = (state as { fault: Fault }).fault
        checkOptions<FaultRule>(rule, checks)
      }
      load(name, state)
    })

  return {
    async add(given) {
      checkFault(contract, given)
      const id = given.key === undefined ? undefined : findWorld(keys, given.key)
      return toNamed(await addFault(engine, kept, given, id))
    },
    list: async () => (await useShared(worlds, () => kept.list())).map(toNamed),
    remove: async (id) => useShared(worlds, (put) => kept.remove(id, put)),
    clear: async () =>
      useShared(worlds, (put) => {
        for (const { id } of kept.list()) kept.remove(id, put)
      }),
  }
}

/** A fault as callers named it: with the key or user in place of the id of the world. */
function toNamed({ key, ...fault }: Fault): Fault {
  return key === undefined ? fault : { ...fault, key: namesOf(key as WorldId).key }
}

/** @param id the world that it is for, in place of a key. @default all worlds @throws SandboxError as `SandboxFaults.add` */
export async function addFault(
  { contract, worlds }: Pick<Engine, 'contract' | 'worlds'>,
  kept: Faults,
  given: FaultRule,
  id: WorldId | undefined,
): Promise<Fault> {
  checkFault(contract, given)
  const { key: _, ...others } = given
  const rule = id === undefined ? others : { ...others, key: (await worlds.hide?.(id)) ?? id }
  return useShared(worlds, (put) => kept.add(rule, put))
}

const isNumberIn = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most
const isWholeIn = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && isNumberIn(value, least, most)
const aText = (value: unknown): string | undefined => (typeof value === 'string' ? undefined : 'a text')

/** Longer delays are refused: most clients have timed out by then. */
const maxDelayMs = 60_000

const checks: OptionChecks<FaultRule> = {
  operation: aText,
  method: (value) => (typeof value === 'string' && /^[A-Z]+$/.test(value) ? undefined : 'a method in upper case'),
  path: (value) =>
    typeof value === 'string' && value.startsWith('/') ? undefined : 'a path below the base, with * for any characters',
  key: aText,
  times: (value) => (isWholeIn(value, 1, Number.MAX_SAFE_INTEGER) ? undefined : 'a whole number of at least 1'),
  share: (value) => (isNumberIn(value, Number.MIN_VALUE, 1) ? undefined : 'a number above 0, up to 1'),
  seed: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  status: (value) => (isWholeIn(value, 200, 599) ? undefined : 'a status from 200 to 599'),
  message: aText,
  delayMs(value) {
    const bounds = Array.isArray(value) ? value : [value, value]
    const isRange = bounds.length === 2 && bounds.every((each) => isNumberIn(each, 0, maxDelayMs))
    return isRange && bounds[0] <= bounds[1] ? undefined : `milliseconds up to ${maxDelayMs}, or the least and the most`
  },
  drop: (value) => (value === true ? undefined : 'true'),
  truncate: (value) => (isWholeIn(value, 0, Number.MAX_SAFE_INTEGER) ? undefined : 'a number of bytes'),
  rate(value) {
    checkOptions<NonNullable<FaultRule['rate']>>(
      value,
      {
        limit: (limit) => (isWholeIn(limit, 1, Number.MAX_SAFE_INTEGER) ? undefined : 'a whole number of at least 1'),
        seconds: (seconds) => (isNumberIn(seconds, 0.001, 86_400 * 366) ? undefined : 'a number of seconds above 0'),
      },
      'rate.',
    )
    return (value as { limit?: number }).limit === undefined ? 'an object with a limit' : undefined
  },
}

/** @throws SandboxError `INVALID_OPTION` */
function checkFault({ operations }: RequestContract, rule: FaultRule): void {
  checkOptions<FaultRule>(rule, checks)
  const { operation, status, delayMs, drop, truncate, rate } = rule
  if (operation !== undefined && !operations.some(({ id }) => id === operation))
    throw unknownName('operation', operation, operations.map(({ id }) => id).slice(0, 50))
  if ([status, delayMs, drop, truncate, rate].every((effect) => effect === undefined))
    throw new SandboxError(
      'INVALID_OPTION',
      `A fault must have one of status, delayMs, drop, truncate and rate (got ${quote(rule)})`,
    )
}
