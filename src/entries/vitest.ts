/** The public API for Vitest: a `test` function that gives each test its own key, and so its own world. */
import { type TestAPI, type TestContext, test as vitestTest } from 'vitest'
import { type Severity, severities } from '../checks/finding.js'
import { openFactsOf } from '../contract/open-fact.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { aSandbox, checkOptions, oneOf } from '../sandbox/facade/check-options.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { World } from '../sandbox/facade/world.js'
import type { Exchange } from '../state/journal.js'
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
  /**
   * Each test fails if its requests violate the contract with this severity or worse, by the rules of `petstore-sandbox run`. Its
   * requests are those with its key, and in Node.js all that its own code sends, also while other tests run.
   * @default no test does
   */
  failOn?: Severity
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
  checkOptions<TestOptions>(options, { sandbox: aSandbox, failOn: oneOf(severities) })
  const { sandbox = standard, failOn } = options
  if (sandbox.apiKeys) {
    throw new SandboxError(
      'INVALID_OPTION',
      'Failed to give each test its own key: the sandbox accepts only listed keys. Create it without "apiKeys"',
    )
  }
  const owners = failOn && createOwners()
  // Vitest parses the parameter names to find out which fixtures a fixture needs.
  return vitestTest.extend<SandboxFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here
    sandbox: async ({}, use) => use(sandbox),
    key: [
      async ({ task, onTestFailed }, use) => {
        // The id of a test in its project is the same in each run, so that reports of two runs can be compared.
        const key = `sandbox-${task.id}`
        const world = sandbox.world(key)
        const collected = failOn && collectExchanges(sandbox, key, owners)
        announceTest(key, task)
        if (openFactsOf(sandbox.contract).length > 0) onTestFailed(() => printGuesses(sandbox, key))
        await world.reset()
        await use(key)
        if (failOn && collected) {
          const { judgeExchanges, refuseViolations } = await import('./judge-exchanges.js')
          await world.reset()
          refuseViolations(sandbox.contract, judgeExchanges(sandbox.contract, await collected()), failOn)
        } else await world.reset()
      },
      { auto: failOn !== undefined },
    ],
    world: async ({ key }, use) => use(sandbox.world(key)),
    headers: async ({ key }, use) => use({ Authorization: `Bearer ${key}` }),
  })
}

/** Prints the guesses that decided answers of a test that failed. */
async function printGuesses({ contract, journal }: Sandbox, key: string): Promise<void> {
  const { describeGuesses } = await import('./judge-exchanges.js')
  const text = describeGuesses(contract, journal.list(key))
  if (text !== '') console.info(text)
}

/** Leaves a note which test has the key for `petstore-sandbox run`, if that started this process. */
function announceTest(key: string, task: TestContext['task']): void {
  const file = globalThis.process?.env?.['SANDBOX_TRACE_FILE']
  if (file === undefined) return
  const titles = [task.name]
  for (let { suite } = task; suite; { suite } = suite) titles.unshift(suite.name)
  try {
    const line = JSON.stringify({ key, test: titles.join(' > ') })
    globalThis.process?.getBuiltinModule?.('node:fs').appendFileSync(file, `${line}\n`)
  } catch {
    // Then the name is read from the source, if it is certain there.
  }
}

/** Knows the key of the test whose code runs. */
interface Owners {
  enterWith(key: string): void
  getStore(): string | undefined
}

/** Undefined in browsers, which cannot know it. */
function createOwners(): Owners | undefined {
  const AsyncStorage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  return AsyncStorage && new AsyncStorage<string>()
}

/**
 * Collects the exchanges of a test. Called before anything in its fixture waits, so that what the test starts is known to be its own.
 * @returns a function that stops, and returns those that the code of the test sent or that have its key
 */
function collectExchanges(sandbox: Sandbox, key: string, owners: Owners | undefined): () => Promise<Exchange[]> {
  owners?.enterWith(key)
  const collected: { exchange: Exchange; owner: string | undefined }[] = []
  const stop = sandbox.journal.subscribe((exchange) => {
    const owner = owners?.getStore()
    if (owner === undefined || owner === key) collected.push({ exchange, owner })
  })
  return async () => {
    stop()
    const { isOfKey } = await import('./judge-exchanges.js')
    return collected
      .filter(({ exchange, owner }) => owner === key || isOfKey(exchange, key))
      .map((each) => each.exchange)
  }
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
