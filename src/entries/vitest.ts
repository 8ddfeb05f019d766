/** The public API for Vitest: a `test` function that gives each test its own key, and so its own world. */
import { type TestAPI, test as vitestTest } from 'vitest'
import { SandboxError } from '../contract/sandbox-error.js'
import { aSandbox, checkOptions } from '../sandbox/facade/check-options.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { World } from '../sandbox/facade/world.js'
import { sandbox as standard } from './msw.js'

/** The fixtures that a test can use. */
export interface SandboxFixtures {
  /** The sandbox, shared with other tests. */
  sandbox: Sandbox
  /** A key that no other test has: `sandbox-<id of the test>`. */
  key: string
  /** The world of the key. Reset before and after the test. */
  world: World
  /** Headers with the key as a bearer token, for `fetch`. */
  headers: { Authorization: string }
}

/** Options of `createTest`. */
export interface TestOptions {
  /** The sandbox of the worlds. @default the sandbox of `petstore-sandbox/msw` */
  sandbox?: Sandbox
}

/** Vitest's `test` with `SandboxFixtures`. */
export type SandboxTest = TestAPI<SandboxFixtures>

/**
 * Creates a Vitest `test` function for a sandbox.
 * @throws SandboxError `INVALID_OPTION` if the sandbox has the option `apiKeys`
 *
 * @example
 * const test = createTest({ sandbox: createSandbox({ scenario: 'empty' }) })
 *
 * test('adds a book', async ({ world }) => {
 *   await world.collection('books').add({ title: 'Emma' })
 * })
 */
export function createTest(options: TestOptions = {}): SandboxTest {
  checkOptions<TestOptions>(options, { sandbox: aSandbox })
  const { sandbox = standard } = options
  if (sandbox.apiKeys) {
    throw new SandboxError(
      'INVALID_OPTION',
      'Failed to give each test its own key: the sandbox accepts only listed keys. Create it without "apiKeys"',
    )
  }
  // Vitest parses the parameter names to find out which fixtures a fixture needs.
  return vitestTest.extend<SandboxFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here
    sandbox: async ({}, use) => use(sandbox),
    key: async ({ task }, use) => {
      // The id of a test in its project is the same in each run, so that reports of two runs can be compared.
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

/**
 * Vitest's `test` with the fixtures `key`, `world`, `headers` and `sandbox`, for the sandbox of `petstore-sandbox/msw`.
 * @example
 * test('removes all books', async ({ world }) => {
 *   await world.collection('books').clear()
 * })
 */
export const test: SandboxTest = /* @__PURE__ */ createTest()

/** The same as `test`. */
export const it: SandboxTest = test

export type { Sandbox, World }
