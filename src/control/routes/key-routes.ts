/** Operations on keys. Keys from the command line are fixed. */
import { randomBytes } from 'node:crypto'
import { ownKey } from '../../contract/credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { Engine } from '../../sandbox/create-engine.js'
import { addFault } from '../../sandbox/facade/faults.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import { useShared } from '../../sandbox/worlds.js'
import type { PutShared } from '../../state/commits/shared-table.js'
import type { Fault, FaultRule } from '../../state/faults.js'
import { bytesOf } from '../../state/memory-budget.js'
import { noWorld, toWorldId, type WorldId } from '../../state/world-id.js'
import { type ControlHandlers, NotFound, Taken } from '../control-api.js'
import type { ControlOptions } from '../control-options.js'
import { toShownId } from '../kept.js'
import type { WorldsOfControl } from './world-routes.js'

export function keyRoutes(
  { keys, apiKeys, worlds, deliveries }: Engine,
  { find }: Pick<WorldsOfControl, 'find'>,
  { kept: { made, revoked, setKey }, memory }: Pick<ControlOptions, 'kept' | 'memory'>,
): ControlHandlers {
  const isFixed = apiKeys !== undefined

  function refuseFixed(): void {
    if (isFixed) throw new Taken('The valid keys are those of --api-key; start the sandbox without it to make others')
  }

  /** Keeps a key until the server ends. */
  function keep(id: string, state: 'made' | 'revoked', put: PutShared): void {
    if (!made.has(id) && !revoked.has(id) && !memory.has(bytesOf(id)))
      throw new SandboxError('NO_ROOM', memory.refusal('another key'))
    setKey(id, state)
    put('key', id, state)
  }

  return {
    async listKeys() {
      await worlds.refresh?.()
      const valid = [...(apiKeys ?? [keys.defaultKey, ...made])].flatMap((key) => keys.idOf(key) ?? [])
      return [200, valid.map((id) => ({ id: toShownId(id), fixed: isFixed || id === keys.idOf(keys.defaultKey) }))]
    },
    async makeKey({ body }) {
      refuseFixed()
      const { name } = (body.value ?? {}) as { name?: string }
      const key = `sandbox-${name ?? randomBytes(8).toString('hex')}`
      if (!ownKey.test(key)) throw new RangeError(`A name has 1 to 64 of A-Z a-z 0-9 . _ - (got "${name}")`)
      // Another program may have answered a request of the former key in between.
      if (revoked.has(key)) await worlds.remove(toWorldId(key) ?? noWorld)
      await useShared(worlds, (put) => keep(key, 'made', put))
      return [201, { id: key, key, fixed: false }]
    },
    async revokeKey({ path }) {
      refuseFixed()
      const id = String(path['key'])
      await worlds.refresh?.()
      if (revoked.has(id)) throw new NotFound(`The key "${id}" was revoked already`)
      const world = await find(id)
      if (world === keys.idOf(keys.defaultKey)) throw new Taken(`The key "${id}" is the default key, which stays valid`)
      await useShared(worlds, (put) => keep(id, 'revoked', put))
      worlds.end?.(id)
      await worlds.remove(world)
      deliveries?.cancel(world)
      return [204]
    },
  }
}

/** Operations on faults, which identify a key by the id of its world. */
export function faultRoutes(
  { faults }: Sandbox,
  { find: findWorld, engine }: Pick<WorldsOfControl, 'find' | 'engine'>,
  { faults: kept }: Pick<ControlOptions, 'faults'>,
): ControlHandlers {
  const list = async () => useShared(engine.worlds, () => kept.list())

  async function find(id: unknown): Promise<Fault> {
    const found = (await list()).find((each) => each.id === id)
    if (!found) throw new NotFound(`There is no fault "${id}"`)
    return found
  }

  return {
    listFaults: async () => [200, (await list()).map(toShown)],
    async addFault({ body }) {
      const rule = body.value as FaultRule
      const added = await addFault(engine, kept, rule, rule.key === undefined ? undefined : await findWorld(rule.key))
      return [201, toShown(added)]
    },
    async clearFaults() {
      await faults.clear()
      return [204]
    },
    getFault: async ({ path }) => [200, toShown(await find(path['fault']))],
    async removeFault({ path }) {
      const { id } = await find(path['fault'])
      await faults.remove(id)
      return [204]
    },
  }
}

function toShown({ key, ...fault }: Fault): object {
  // Only `addFault` sets it.
  return key === undefined ? fault : { ...fault, key: toShownId(key as WorldId) }
}
