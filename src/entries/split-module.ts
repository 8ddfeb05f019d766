/**
 * The engine in the modules that `export msw --split` writes. The entry has what finds an operation. What its requests need, and
 * the data, are loaded when they are first used: see `cli/commands/split-handlers.ts`.
 */
import { part as changes } from 'late:changes'
import { part as lists } from 'late:lists'
import { part as sampler } from 'late:sampler'
import type { Operation, RequestContract } from '../contract/contract.js'
import type { Validate } from '../contract/validator.js'
import { readCompact } from '../json/compact-json.js'
import { parseExactJson } from '../json/exact-json.js'
import { getOrInsert } from '../json/own-value.js'
import { jsonCodec } from '../media/json-codec.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import type { Handle, Steps } from '../sandbox/handle.js'
import { Refusal } from '../sandbox/outcome.js'
import type { Negotiate } from '../sandbox/responses/negotiate.js'
import { createWorlds, type Worlds } from '../sandbox/worlds.js'
import type { Later } from '../state/commits/store.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { undoTo } from '../state/world-content.js'
import { createModule, type Handlers, type HandlersOptions, type ModuleParts, runtime } from './exported-module.js'
import { type LatePart, Needed } from './late-part.js'

/** Parts of the engine that not every operation needs. */
type LateParts = Pick<EngineParts, 'useExtras' | 'readStyled' | 'createNegotiate' | 'codecs'>

/** What the operations of a chunk need. */
export interface Chunk {
  /** `ChunkContent` from `writeCompact`. */
  text: string
  /** Returns the validators in the order of their numbers. @param require returns a module of the runtime of Ajv */
  toValidators(require: (id: string) => unknown): Validate[]
  parts?: Partial<LateParts>
}

export interface ChunkContent {
  /** The same as that of the entry, if both were written together. */
  stamp: string
  /** The rest of some operations, and the collections whose data they always need. */
  operations: [number: number, rest: Partial<Operation>, data: string[]][]
  plans: [number: number, plan: RequestContract['plans'][number]][]
  /** The numbers of the validators. */
  validators: number[]
}

/** What the entry of a written module has. */
export interface SplitModule {
  stamp: string
  /** The contract with the beginnings of its operations, and without plans and validators, from `writeCompact`. */
  contract: string
  /** What requests without an operation need. */
  own: Chunk
  chunks: readonly (() => Promise<{ chunk: Chunk }>)[]
  /** The index of the chunk of each operation. */
  chunkOf: readonly number[]
  /** The records of each collection, from `writeCompact`. */
  data: readonly (readonly [collection: string, load: () => Promise<{ records: string }>])[]
  /** Sends callbacks and webhooks, if there are any. */
  sending?: ModuleParts['sending']
}

/** The parts of the engine that operations surely need. All others are loaded when they are first used. */
const certain: readonly [LatePart, (operation: Operation) => boolean][] = [
  [lists, ({ effect }) => effect.kind === 'list'],
  [changes, ({ effect }) => !['list', 'read', 'example', 'undescribed'].includes(effect.kind)],
  // An answer is converted after its effect, which alone can be run again.
  [sampler, ({ representations = [] }) => representations.some(({ from }) => from !== 'json')],
]

/** A part that could not be loaded. The next request tries again. */
class NotLoaded extends Error {}

export function createSplitModule(module: SplitModule): (options?: HandlersOptions) => Handlers {
  const contract: RequestContract = { ...(readCompact(module.contract) as RequestContract), plans: [], validators: [] }
  const { operations, plans, validators } = contract
  // The engine reads these when it is created, so a beginning has them, too.
  for (const [index, each] of operations.entries())
    operations[index] = { ...each, effect: { kind: 'undescribed' }, responses: [] }
  const late: LateParts = { codecs: { json: jsonCodec } }
  const records = new Map<string, readonly Values[]>()
  /** What is loaded now. */
  const loading = new Set<Promise<void>>()
  /** Requests that wait until nothing is loaded. */
  const waiting: (() => void)[] = []
  let known: Steps | undefined
  const parts = new Map<Needed, Part>()
  const dataOf = new Map(
    module.data.map(([name, load]) => {
      const read = async () => {
        const text = (await load()).records
        records.set(name, readCompact(text, (json) => parseExactJson(json).exact) as Values[])
      }
      return [name, new Needed(`the data of "${name}"`, read)]
    }),
  )
  const scenario = toScenario(dataOf, records)
  const data = new Map<number, string[]>()
  const chunks = module.chunks.map((load) => once(undefined, async () => void use((await load()).chunk)))
  const partOf = new Map(
    operations.map((each, number) => [
      each,
      once(`what ${each.method} ${each.path} needs`, async () => {
        await chunks[module.chunkOf[number] ?? -1]?.load()
        const sure = certain.filter(([, isCertain]) => isCertain(each)).map(([{ needed }]) => needed)
        const needed = [...sure, ...(data.get(number) ?? []).flatMap((name) => dataOf.get(name) ?? [])]
        await Promise.all(needed.map((each) => toPart(each).load()))
      }),
    ]),
  )
  use(module.own)

  function use({ text, toValidators, parts: { codecs, ...parts } = {} }: Chunk): void {
    const content = readCompact(text) as ChunkContent
    if (content.stamp !== module.stamp) throw new Error('it was written again for another document; reload')
    for (const [number, rest, names] of content.operations) {
      Object.assign(operations[number] ?? {}, rest)
      data.set(number, names)
    }
    for (const [number, plan] of content.plans) plans[number] = plan
    const added = toValidators((id) => runtime[id])
    for (const [index, number] of content.validators.entries()) validators[number] = added[index] as Validate
    Object.assign(late.codecs, codecs)
    Object.assign(late, parts)
  }

  function toPart(needed: Needed): Part {
    return getOrInsert(parts, needed, () => once(needed.what, needed.load))
  }

  /** Loads a part at most once, unless that fails. @param name names it in errors. Undefined if only other parts load it */
  function once(name: string | undefined, run: () => Promise<void>): Part {
    let started: Promise<void> | undefined
    const part: Part = {
      isLoaded: false,
      load() {
        if (!started) {
          part.failure = undefined
          const own = start()
          started = own
          loading.add(own)
          own.then(goOn, goOn)
          // All at once, because some of them wait for their bodies. A request gets the reason of a failure.
          function goOn(): void {
            loading.delete(own)
            if (loading.size === 0) for (const each of waiting.splice(0)) each()
          }
        }
        return started
      },
    }
    return part

    async function start(): Promise<void> {
      try {
        await run()
        part.isLoaded = true
      } catch (error) {
        started = undefined
        if (name !== undefined) part.failure = new NotLoaded(`Failed to load ${name}: ${(error as Error).message}`)
        throw part.failure ?? error
      }
    }
  }

  /** Runs a function on a world again after what it needs was loaded, and others after it. */
  function withData(worlds: Worlds): Worlds {
    let pending: Promise<void> | undefined
    const attempt: Worlds['attempt'] = (world, run, context) => {
      if (pending) return pending.then(() => attempt(world, run, context)) as Promise<never>
      const { length } = world.log
      try {
        return worlds.attempt(world, run, context)
      } catch (error) {
        if (!(error instanceof Needed)) throw error
        undoTo(world, length)
        const loads = toPart(error).load()
        const goOn = () => {
          pending = undefined
        }
        pending = loads.then(goOn, goOn)
        return loads.then(() => attempt(world, run, context)) as Promise<never>
      }
    }
    const isKnown = (error: unknown) => error instanceof NotLoaded || error instanceof Needed
    return { ...worlds, attempt, refuseFailure: (error) => (isKnown(error) ? toRefusal(error as Error) : undefined) }
  }

  function withChunks(steps: Steps): Steps {
    const { authenticate, finish } = steps
    known = steps
    return {
      ...steps,
      authenticate(request, operation) {
        const part = partOf.get(operation)
        if (part?.failure) throw part.failure
        return again(() => authenticate(request, operation))
      },
      finish(request, progress, outcome) {
        const end = again(() => finish(request, progress, outcome))
        const fail = (error: Error) => finish(request, progress, toRefusal(error))
        return end instanceof Promise ? end.catch(fail) : end
      },
    }
  }

  /** Runs a function again after what it needs was loaded. It must change nothing before. */
  function again<T>(run: () => Later<T>): Later<T> {
    try {
      return run()
    } catch (error) {
      if (error instanceof Needed)
        return toPart(error)
          .load()
          .then(() => again(run))
      throw error
    }
  }

  /** Lets requests wait for what they need. They are answered in their order, as if nothing had to be loaded. */
  function inOrder(handle: Handle): Handle {
    const { route, interceptors } = known ?? {}
    const usual = interceptors?.intercept
    return (request) => {
      const found = route?.(request)
      const part = found && 'operation' in found ? partOf.get(found.operation) : undefined
      // An answer that a request or a fault chooses may be made, and nothing runs that again.
      const isChosen = request.header('prefer') !== undefined || interceptors?.intercept !== usual
      const needed = [part, isChosen ? toPart(sampler.needed) : undefined].filter((each) => each?.isLoaded === false)
      if (needed.length + loading.size === 0) return handle(request)
      return new Promise((resolve) => {
        waiting.push(() => resolve(handle(request)))
        for (const each of needed) void each?.load()
      })
    }
  }

  return createModule(contract, scenario, {
    sending: module.sending,
    parts: {
      codecs: late.codecs,
      // The chunks of the operations that use these have loaded them.
      useExtras: (...input) => (late.useExtras as NonNullable<LateParts['useExtras']>)(...input),
      readStyled: (source) => late.readStyled?.(source),
      createNegotiate(options) {
        let negotiate: Negotiate | undefined
        return (...input) => {
          negotiate ??= late.createNegotiate?.(options)
          return (negotiate as Negotiate)(...input)
        }
      },
      createWorlds: (options) => withData(createWorlds(options)),
    },
    withChunks,
    inOrder,
  })
}

interface Part {
  isLoaded: boolean
  /** Why it could not be loaded the last time. */
  failure?: NotLoaded | undefined
  /** @throws NotLoaded */
  load(): Promise<void>
}

function toScenario(data: ReadonlyMap<string, Needed>, records: ReadonlyMap<string, readonly Values[]>): Scenario {
  const scenario = {}
  for (const [name, needed] of data) {
    Object.defineProperty(scenario, name, {
      enumerable: true,
      get() {
        const known = records.get(name)
        if (!known) throw needed
        return known
      },
    })
  }
  return scenario
}

/** The same body for every operation, because the documented one is not loaded. */
function toRefusal({ message }: Error): Refusal {
  const code = 'internal_error'
  const body = JSON.stringify({ code, message, status: 500 })
  const rendered = { status: 500, code, mediaType: 'application/json', headers: undefined, body }
  return new Refusal(code, message, { rendered })
}
