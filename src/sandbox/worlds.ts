/** The worlds of a sandbox by key, made on first use. */
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

export interface WorldsOptions {
  factory: WorldFactory
  apiKeys: readonly string[] | undefined
  maxWorlds: number
}

export function createWorlds({ factory, apiKeys, maxWorlds }: WorldsOptions): Worlds {
  const worlds = new Map<string, World>()
  const [first = 'sandbox'] = apiKeys ?? []
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
