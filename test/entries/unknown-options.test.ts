/** An option that a function does not know, or a value that it cannot use, is refused and never ignored. */
import { compileDocument, createSandbox, generateScenario, SandboxError } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { startServer } from 'petstore-sandbox/node'
import { createTest } from 'petstore-sandbox/vitest'
import { describe, expect, it } from 'vitest'

/** As a program in JavaScript calls a function: without types. */
type Call = (options: unknown) => unknown

/** Calls a function with options of any type. A server that starts is closed again. */
const functions: Record<string, Call> = {
  createSandbox: (options) => createSandbox(options as Parameters<typeof createSandbox>[0]),
  createHandlers: (options) => createHandlers(options as Parameters<typeof createHandlers>[0]),
  createTest: (options) => createTest(options as Parameters<typeof createTest>[0]),
  generateScenario: (options) => generateScenario(options as Parameters<typeof generateScenario>[0]),
  startServer: async (options) => (await startServer(options as Parameters<typeof startServer>[0])).close(),
}

/** The error that a call throws or rejects with. */
async function errorOf(name: string, options: unknown): Promise<unknown> {
  try {
    await functions[name]?.(options)
    return undefined
  } catch (error) {
    return error
  }
}

const misspelt: [name: string, options: object, wrong: string, meant: string][] = [
  ['createSandbox', { scenari: 'empty' }, 'scenari', 'scenario'],
  ['createSandbox', { apikeys: ['a'] }, 'apikeys', 'apiKeys'],
  ['createSandbox', { api_keys: ['a'] }, 'api_keys', 'apiKeys'],
  ['createSandbox', { apiKey: 'a' }, 'apiKey', 'apiKeys'],
  ['createSandbox', { maxbody: 1 }, 'maxbody', 'maxBodyBytes'],
  ['createSandbox', { journal: { maxExchange: 1 } }, 'journal.maxExchange', 'journal.maxExchanges'],
  ['createHandlers', { scenari: 'empty' }, 'scenari', 'scenario'],
  ['createHandlers', { baseURL: 'http://localhost' }, 'baseURL', 'baseUrl'],
  ['createHandlers', { journal: { maxByte: 1 } }, 'journal.maxByte', 'journal.maxBytes'],
  ['createTest', { sandbx: 1 }, 'sandbx', 'sandbox'],
  ['generateScenario', { record: 3 }, 'record', 'records'],
  ['startServer', { prot: 0 }, 'prot', 'port'],
  ['startServer', { port: 0, spek: 'x.yaml' }, 'spek', 'spec'],
  ['startServer', { port: 0, journal: { maxexchanges: 1 } }, 'journal.maxexchanges', 'journal.maxExchanges'],
]

describe('a misspelt option is refused, and the option that is meant is named', () => {
  it.each(misspelt)('%s(%o)', async (name, options, wrong, meant) => {
    const error = await errorOf(name, options)
    expect(error).toBeInstanceOf(SandboxError)
    expect(error).toMatchObject({ code: 'INVALID_OPTION' })
    expect((error as Error).message).toContain(`Unknown option "${wrong}"; did you mean "${meant}"? available: `)
  })
})

describe('an option that is like no other is refused with a list of all options', () => {
  it.each(Object.keys(functions))('by %s', async (name) => {
    for (const wrong of ['unrelatedword', '__proto__', 'constructor', '0']) {
      const error = await errorOf(name, JSON.parse(`{"${wrong}":1}`))
      expect((error as Error).message).toMatch(/^Unknown option "\w+"; available: \w+/)
    }
  })
})

it.each(Object.keys(functions))('%s refuses options that are no object', async (name) => {
  for (const options of [null, 'empty', 5, ['a']]) {
    expect(await errorOf(name, options)).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/^Options must be an object/),
    })
  }
})

const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/xs': { get: {} } } }
const compiled = await compileDocument(JSON.stringify(document))

describe('a value of the wrong type is refused', () => {
  const cases: [name: string, options: object, message: string][] = [
    ['createSandbox', { contract: compiled }, 'contract must be the contract that compileDocument() resolves to'],
    ['createSandbox', { scenario: 5 }, 'scenario must be the name of a scenario, or records by collection (got 5)'],
    ['createSandbox', { store: {} }, 'store must be a store (got an object)'],
    ['createSandbox', { apiKeys: 'sandbox' }, 'apiKeys must be a list of API keys (got "sandbox")'],
    ['createSandbox', { apiKeys: [5] }, 'API keys must be one or more strings'],
    ['createSandbox', { cors: 'no' }, 'cors must be true or false (got "no")'],
    [
      'createSandbox',
      { maxBodyBytes: '1m' },
      'maxBodyBytes must be a whole number of bytes, at most 67108864 (got "1m")',
    ],
    ['createSandbox', { maxWorlds: -1 }, 'maxWorlds must be 0 or more (got -1)'],
    ['createSandbox', { maxWorlds: Number.NaN }, 'maxWorlds must be 0 or more (got NaN)'],
    ['createSandbox', { now: 5 }, 'now must be a function (got 5)'],
    ['createSandbox', { journal: 5 }, 'Options must be an object (got 5)'],
    ['createSandbox', { journal: { maxBytes: '5' } }, 'journal.maxBytes must be 0 or more (got "5")'],
    ['createSandbox', { onUnexpectedError: 'log' }, 'onUnexpectedError must be a function (got "log")'],
    ['createHandlers', { sandbox: {} }, 'sandbox must be what createSandbox() returns (got an object)'],
    ['createTest', { sandbox: () => {} }, 'sandbox must be what createSandbox() returns (got a function)'],
    ['generateScenario', { compiled: compiled.contract }, 'compiled must be what compileDocument() resolves to'],
    ['generateScenario', { hints: 'x' }, 'hints must be an object of hints by collection (got "x")'],
    ['generateScenario', { onProgress: true }, 'onProgress must be a function (got true)'],
    ['startServer', { port: '4010' }, 'port must be a whole number from 0 to 65535 (got "4010")'],
    ['startServer', { port: 0, host: 5 }, 'host must be a name or an address such as 127.0.0.1 (got 5)'],
    ['startServer', { port: 0, spec: {} }, 'spec must be a string (got an object)'],
    ['startServer', { port: 0, contract: compiled.contract }, 'Unknown option "contract"'],
    ['startServer', { port: 0, onExchange: 5 }, 'onExchange must be a function (got 5)'],
  ]
  it.each(cases.map(([name, options, message]) => ({ name, options, message })))('by $name: $message', async (each) => {
    const { name, options, message } = each
    const error = await errorOf(name, options)
    expect(error).toBeInstanceOf(SandboxError)
    expect((error as Error).message).toContain(message)
  })
})

it('refuses options of a new sandbox beside a sandbox, which would have no effect', async () => {
  const sandbox = createSandbox()
  const error = await errorOf('createHandlers', { sandbox, scenario: 'empty' })
  expect((error as Error).message).toBe('Give either a sandbox or options for a new one, not both (got scenario)')
})

it.each([
  ['createSandbox', { scenario: undefined, journal: { maxBytes: undefined } }],
  ['createHandlers', { sandbox: undefined, baseUrl: undefined }],
  ['createTest', { sandbox: undefined }],
  ['generateScenario', { seed: undefined }],
  ['startServer', { port: 0, scenario: undefined }],
])('%s takes undefined as the default of an option', async (name, options) => {
  expect(await errorOf(name, options)).toBe(undefined)
})

it('refuses an unknown option of list()', async () => {
  const list = createSandbox().world().collection('pets').list as (options: unknown) => Promise<unknown>
  await expect(list({ limt: 1 })).rejects.toThrow('list() takes { filter?: an object, limit?: a number')
})
