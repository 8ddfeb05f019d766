/** The public API for Vitest: a test of which each run has a key, and so a world, of its own. */
import { type TestAPI, test as vitestTest } from 'vitest'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Sandbox } from '../sandbox/create-engine.js'
import type { World } from '../sandbox/world.js'
import { sandbox as standard } from './msw.js'

/** What a test may ask for by name. */
export interface SandboxFixtures {
  /** The sandbox, which other tests use as well. */
  sandbox: Sandbox
  /** A key that no other test has: `sandbox-<something>`. */
  key: string
  /** What the key sees: as the scenario has it when the test begins, and put back when it ends. */
  world: World
  /** Headers with the key, for `fetch`. */
  headers: { Authorization: string }
}

export interface TestOptions {
  /** Where the worlds are. @default the one behind the `handlers` of `petstore-sandbox/msw` */
  sandbox?: Sandbox
}

export type SandboxTest = TestAPI<SandboxFixtures>

/**
 * Makes a `test` of Vitest over a sandbox.
 * @throws SandboxError `INVALID_OPTION` for a sandbox where only listed keys are valid
 */
export function createTest({ sandbox = standard }: TestOptions = {}): SandboxTest {
  if (sandbox.apiKeys) {
    throw new SandboxError(
      'INVALID_OPTION',
      'Failed to give each test a key of its own: only listed keys are valid here. Make the sandbox without "apiKeys"',
    )
  }
  // Vitest reads the names of the parameters to know what a fixture needs.
  return vitestTest.extend<SandboxFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here
    sandbox: async ({}, use) => use(sandbox),
    key: async ({ task }, use) => {
      // The id tells the test in its project: the same in each run, so that a report can be compared with the last one.
      const key = `sandbox-${task.id}`
      const world = sandbox.world(key)
      await world.reset()
      await use(key)
      await world.reset()
    },
    world: async ({ key }, use) => use(sandbox.world(key)),
    headers: async ({ key }, use) => use({ Authorization: `Bearer ${key}` }),
  })
}

/** Vitest's `test` with `key`, `world`, `headers` and `sandbox`, over the sandbox of `petstore-sandbox/msw`. */
export const test: SandboxTest = /* @__PURE__ */ createTest()

/** The same as `test`. */
export const it: SandboxTest = test

export type { Sandbox, World }
