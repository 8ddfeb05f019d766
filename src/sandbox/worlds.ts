/** The worlds of a sandbox by key, made on first use. */
import { SandboxError } from '../contract/sandbox-error.js'
import type { World, WorldFactory } from '../state/world.js'
import type { Refusal } from './refusal.js'

export interface Worlds {
  isValid(key: string): boolean
  /** A key that is valid, to name in messages and to use where none is asked for. */
  defaultKey: string
  open(key: string): World | Refusal
  resetAll(): void
}

const anyone = /^sandbox(-[A-Za-z0-9._-]{1,64})?$/
/** What a header can carry after its scheme: visible ASCII. */
const sendable = /^[\x21-\x7e]+$/

export interface WorldsOptions {
  factory: WorldFactory
  apiKeys: readonly string[] | undefined
  maxWorlds: number
}

/** @throws SandboxError `INVALID_OPTION` for keys that nobody could send */
export function createWorlds({ factory, apiKeys, maxWorlds }: WorldsOptions): Worlds {
  const worlds = new Map<string, World>()
  const [first = 'sandbox'] = apiKeys ?? []
  const wrong = apiKeys?.find((key) => !sendable.test(key))
  if (wrong !== undefined || apiKeys?.length === 0) {
    const found = wrong === undefined ? 'none' : JSON.stringify(wrong)
    throw new SandboxError(
      'INVALID_OPTION',
      `An API key must be visible ASCII without spaces, at least one of it (got ${found})`,
    )
  }
  const listed = apiKeys && new Set(apiKeys)

  return {
    defaultKey: first,
    isValid: (key) => (listed ? listed.has(key) : anyone.test(key)),
    open(key) {
      const known = worlds.get(key)
      if (known) return known
      if (worlds.size >= maxWorlds) {
        return {
          reason: 'unavailable',
          message: `There are ${maxWorlds} worlds already; use a key that was used before`,
        }
      }
      const world = factory.create(key)
      worlds.set(key, world)
      return world
    },
    resetAll() {
      for (const world of worlds.values()) world.reset()
    },
  }
}
