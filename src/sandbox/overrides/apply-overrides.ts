/** The step that runs the team's own code for an operation. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import type { Effect, KeyedEffect } from '../../contract/effects/effect.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { suggestion } from '../../contract/suggest-closest.js'
import { judge } from '../../contract/violations.js'
import { toRounded } from '../../json/rounding.js'
import { type DraftWorld, draftWorld } from '../../state/draft-world.js'
import type { Cause } from '../../state/journal.js'
import type { StoredRecord } from '../../state/stored-record.js'
import type { StoredWorld, WorldFactory } from '../../state/stored-world.js'
import type { Apply, ApplyInput, ApplyOptions } from '../apply.js'
import { type Outcome, Refusal, type WrittenOutcome } from '../outcome.js'
import { type RenderRefusal, statusOf } from '../responses/render-refusal.js'
import { writeAnswer } from '../responses/write-answer.js'
import type { ApplyEffect, EffectInput } from '../writes/effect-input.js'
import { type MarkedAnswer, toOutcome } from './override-answer.js'
import { nameOf, openOverride, type Selection } from './override-context.js'
import { messageOf, placeIn, placeOf } from './override-places.js'
import type { Override, Overrides } from './override-types.js'

/** Answers a request by the overrides of its operation, or as `apply` does. */
export interface ApplyOverrides {
  (input: ApplyInput, apply: Apply, inCommit?: InCommit): ReturnType<Apply>
  table: OverrideTable
}

type InCommit = Parameters<Apply>[1]

/** The overrides of a sandbox, which may be replaced while it runs. */
export interface OverrideTable {
  /** The files with their code, or other objects. The last one is called first. */
  readonly all: readonly Overrides[]
  /** @throws SandboxError `INVALID_OPTION` for an unknown operation */
  replace(all: readonly Overrides[]): void
  /** Adds overrides that are called before all others. @returns a function that removes them */
  add(overrides: Overrides): () => void
  /** The overrides of an operation, in the order in which they are called. */
  of(operation: Operation): readonly NamedOverride[]
}

/** What overrides need of a sandbox. */
export interface OverrideHost extends Pick<ApplyOptions, 'contract' | 'effects' | 'applyOperation' | 'worlds'> {
  factory: WorldFactory
  render: RenderRefusal
}

export interface OverrideOptions {
  overrides?: readonly Overrides[]
  /** The most milliseconds that the overrides of one request may take. @default 10000 */
  timeoutMs?: number | undefined
  /** Finds the record of the user who is logged in. @default nobody is */
  findUser?: (input: EffectInput) => StoredRecord | undefined
}

/** Conflicts with other programs, after which a request gets 503. */
const maxConflicts = 5

/** Stands for what an override will answer. Nothing keeps it. */
const pending = new Refusal('internal_error', '')

/** @throws SandboxError `INVALID_OPTION` */
export function createOverrideTable(contract: RequestContract, first: readonly Overrides[]): OverrideTable {
  let all = [...first]
  let byOperation = chain(contract, all)
  const replace = (next: readonly Overrides[]) => {
    byOperation = chain(contract, next)
    all = [...next]
  }
  return {
    get all() {
      return all
    },
    replace,
    add(overrides) {
      replace([...all, overrides])
      return () => replace(all.filter((each) => each !== overrides))
    },
    of: (operation) => byOperation.get(operation) ?? none,
  }
}

const none: readonly NamedOverride[] = []

/** `*` is called before what names an operation. */
function chain({ operations }: RequestContract, all: readonly Overrides[]): Map<Operation, NamedOverride[]> {
  const named = new Map<Operation, NamedOverride[]>()
  for (const overrides of all)
    for (const [name, override] of Object.entries(overrides)) {
      if (typeof override !== 'function')
        throw new SandboxError('INVALID_OPTION', `The override "${name}" must be a function (got ${typeof override})`)
      if (name === '*') continue
      const operation = findOperation(operations, name)
      named.set(operation, [toNamed(overrides, name), ...(named.get(operation) ?? [])])
    }
  const stars = all.flatMap((each) => ('*' in each ? toNamed(each, '*') : [])).reverse()
  if (stars.length > 0) for (const each of operations) named.set(each, [...stars, ...(named.get(each) ?? [])])
  return named
}

function toNamed(overrides: Overrides, name: string): NamedOverride {
  const override = overrides[name] as Override
  return { call: (context) => override(context as Parameters<Override>[0]), at: placeOf(overrides, name) }
}

/** @throws SandboxError `INVALID_OPTION` */
function findOperation(operations: readonly Operation[], name: string): Operation {
  const found = operations.filter((each) => nameOf(each) === name || each.id === name)
  const [operation] = found
  if (operation && found.length === 1) return operation
  if (operation)
    throw new SandboxError('INVALID_OPTION', `Several operations are called "${name}": give the method and path`)
  const names = operations.flatMap((each) => [nameOf(each), each.id])
  throw new SandboxError(
    'INVALID_OPTION',
    `No operation is called "${name}", so it has no override${suggestion(name, names)}`,
  )
}

/** @throws SandboxError `INVALID_OPTION` for an unknown operation */
export function createApplyOverrides(
  { contract, effects, applyOperation, worlds, factory, render }: OverrideHost,
  { overrides = [], timeoutMs = 10_000, findUser = () => undefined }: OverrideOptions,
): ApplyOverrides {
  const table = createOverrideTable(contract, overrides)
  const selections = new Map<Operation, Selection | undefined>()
  /** Resolves when nothing waits for its turn any more. */
  const turns = new WeakMap<StoredWorld, Promise<void>>()

  const applyBare = (input: EffectInput): WrittenOutcome => {
    const { extras, effect } = input.operation
    if (extras && applyOperation) return applyOperation(undefined, input)
    return writeAnswer(input, effects[effect.kind] as ApplyEffect<typeof effect>)
  }

  return Object.assign(applyOverrides, { table })

  function applyOverrides(input: ApplyInput, apply: Apply, inCommit: InCommit): ReturnType<Apply> {
    const { operation, world } = input
    const own = table.of(operation)
    if (own.length > 0) return answer(input, own, apply, inCommit)
    const isReading = operation.method === 'GET' || operation.method === 'HEAD'
    return turns.has(world) && !isReading ? wait(world).then(() => apply(input, inCommit)) : apply(input, inCommit)
  }

  async function wait(world: StoredWorld): Promise<void> {
    for (let turn = turns.get(world); turn; turn = turns.get(world)) await turn
  }

  async function answer(input: ApplyInput, own: readonly NamedOverride[], apply: Apply, inCommit: InCommit) {
    const { world, operation, context } = input
    let effect: EffectInput | undefined
    const known = await apply(input, undefined, (each) => {
      effect = each
      return pending
    })
    // It was answered before, or its conditions do not hold.
    if (!effect) return known
    const given = effect
    const { notes } = context.progress
    const run = () => {
      context.progress.notes = notes
      return runOnce(given, own)
    }
    let ran = turns.has(world) ? undefined : await run()
    if (ran && !turns.has(world)) {
      const done = await commit(ran)
      if (done) return done
      ran = undefined
    }
    return inTurn(world, async () => {
      for (let conflicts = 0; ; conflicts++) {
        const done = await commit(ran ?? (await run()))
        if (done) return done
        if (ran) conflicts--
        ran = undefined
        if (worlds.stampOf && conflicts >= maxConflicts)
          return new Refusal(
            'unavailable',
            `Others changed what ${nameOf(operation)} read ${maxConflicts} times; try again`,
          )
      }
    })

    /** @returns undefined if it must run again */
    async function commit({ draft, outcome, seed }: Ran): Promise<WrittenOutcome | undefined> {
      let isStale = false
      const applied = await apply(
        input,
        (written) => {
          if (!isStale) inCommit?.(written)
        },
        () => {
          isStale = draft.isStale() || context.seed !== seed
          if (isStale) return pending
          if (!(outcome instanceof Refusal)) draft.commit()
          return outcome
        },
      )
      return isStale ? undefined : applied
    }
  }

  async function inTurn<T>(world: StoredWorld, work: () => Promise<T>): Promise<T> {
    const before = turns.get(world)
    const own = (async () => {
      await before
      return work()
    })()
    const done = own.then(
      () => {},
      () => {},
    )
    turns.set(world, done)
    try {
      return await own
    } finally {
      if (turns.get(world) === done) turns.delete(world)
    }
  }

  async function runOnce(given: EffectInput, own: readonly NamedOverride[]): Promise<Ran> {
    const { operation, context, world } = given
    const { seed } = context
    const draft = draftWorld(world, factory)
    const select = selectionOf(operation)
    const run = openOverride({ input: given, draft, applyBare, render, select, findUser })
    const name = nameOf(operation)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), timeoutMs)
    })
    try {
      const result = await Promise.race([call(), late])
      run.end()
      if (result === 'late') {
        const message = `The override of ${name} did not answer within ${timeoutMs / 1000} s`
        return { draft, seed, outcome: new Refusal('unavailable', message, { status: 503, cause: causeOf(own) }) }
      }
      if (result.cause?.kind === 'override')
        context.progress.notes = [...context.progress.notes, ...notesOn(result.cause)]
      return { draft, seed, outcome: result }
    } catch (error) {
      run.end()
      return { draft, seed, outcome: refuseThrown(error, name) }
    } finally {
      clearTimeout(timer)
    }

    async function call(): Promise<Outcome> {
      const answer = await callOne(0)
      run.flush()
      run.show(answer)
      const outcome = await toOutcome(answer, operation)
      return run.isBehaviour(outcome) ? outcome : withCause(contract, operation, outcome, causeOf(own))
    }

    async function callOne(at: number): Promise<unknown> {
      const override = own[at]
      if (!override) return run.behave()
      let after: Promise<MarkedAnswer> | undefined
      const next = () => {
        after ??= callOne(at + 1).then((answer) => run.toNext(answer))
        return after
      }
      const result = await override.call(run.context(next))
      return result === undefined ? next() : result
    }

    function causeOf([first]: readonly NamedOverride[]): OverrideCause {
      return { kind: 'override', name, ...(first?.at !== undefined && { at: first.at }) }
    }
  }

  function selectionOf(operation: Operation): Selection | undefined {
    if (!selections.has(operation)) selections.set(operation, findSelection(contract, operation))
    return selections.get(operation)
  }
}

interface Ran {
  draft: DraftWorld
  seed: number
  outcome: Outcome
}

type OverrideCause = Extract<Cause, { kind: 'override' }>

/** An override, and the place of its code. */
interface NamedOverride {
  call: (context: object) => unknown
  at: string | undefined
}

/** The record that a path selects: that of its own effect, else of the longest path above that shows a record. */
export function findSelection({ operations }: RequestContract, operation: Operation): Selection | undefined {
  const { effect, path, servers } = operation
  if (isKeyed(effect)) return { effect, operation }
  const [above] = operations
    .filter((each) => {
      const isAbove = path === each.path || path.startsWith(`${each.path.replace(/\/$/, '')}/`)
      const isShared = each.servers.some((name) => servers.includes(name))
      return isAbove && isShared && each.method === 'GET' && each.effect.kind === 'read'
    })
    .sort((one, other) => other.path.length - one.path.length)
  return above && { effect: above.effect as KeyedEffect, operation: above }
}

function isKeyed(effect: Effect): effect is KeyedEffect {
  return ['read', 'replace', 'update', 'remove', 'action'].includes(effect.kind)
}

/** The outcome with its cause, and what of it breaks the document. */
function withCause(contract: RequestContract, operation: Operation, outcome: Outcome, cause: OverrideCause): Outcome {
  const broken = brokenBy(contract, operation, outcome)
  const whole = broken.length > 0 ? { ...cause, broken } : cause
  if (!(outcome instanceof Refusal)) return { ...outcome, cause: whole }
  const { reason, message, ...details } = outcome
  return new Refusal(reason, message, { ...details, cause: whole })
}

/** A sentence for each way in which an answer breaks the document. */
function brokenBy({ validators }: RequestContract, operation: Operation, outcome: Outcome): string[] {
  const isRefusal = outcome instanceof Refusal
  const status = isRefusal ? statusOf(outcome, operation) : outcome.status
  const content = isRefusal ? undefined : outcome.content
  const documented = documentedResponse(operation, status)
  const { effect } = operation
  if (!documented && !('status' in effect && effect.status === status)) return [`${status} is not documented`]
  const validator = validators[documented?.ensure?.validate ?? -1]
  const value = content?.value?.()
  if (!validator || value === undefined) return []
  return judge(validator, toRounded(value), value, false).map(({ message }) => message)
}

function notesOn({ broken = [] }: OverrideCause): string[] {
  return broken.map((why) => `the answer of the override breaks the document: ${why}`)
}

function refuseThrown(error: unknown, name: string): Refusal {
  const at = error instanceof Error ? placeIn(error) : undefined
  const where = at === undefined ? '' : ` (${at})`
  return new Refusal('internal_error', `The override of ${name} failed: ${messageOf(error)}${where}`, {
    status: 500,
    cause: { kind: 'override', name, ...(at !== undefined && { at }) },
  })
}
