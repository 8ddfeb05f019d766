// The scripts of records through HTTP, and through MSW at the documented address.
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { createHandlers } from 'petstore-sandbox/msw'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { actionScripts } from '../scripts/actions.js'
import { nestedScripts } from '../scripts/nested.js'
import { singleScripts } from '../scripts/single.js'
import { wrappedScripts } from '../scripts/wrapped.js'
import { compileOnce } from '../support/compile-once.js'
import { type RawRequest, toBytes, toOwnHeaders } from '../support/raw-request.js'
import { runSteps, type Script, standard } from '../support/script.js'
import { writeFolder } from '../support/serving.js'
import { openHttp } from '../support/transports.js'

const scripts: readonly Script[] = [...nestedScripts, ...wrappedScripts, ...singleScripts, ...actionScripts]
const server = setupServer()

describe('through HTTP', () => {
  it.each(scripts)('$name', async ({ document, scenario = {}, steps }) => {
    const folder = await writeFolder({ 'openapi.json': document })
    const connection = await openHttp({ ...standard, spec: join(folder, 'openapi.json'), scenario })
    await runSteps(connection, steps, 'HTTP')
    await connection.close()
  })
})

describe('through MSW', () => {
  // The option has another name in MSW 3.
  beforeAll(() => server.listen({ onUnhandledRequest: 'error', ...{ onUnhandledFrame: 'error' } }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  it.each(scripts)('$name', async ({ document, scenario = {}, steps }) => {
    const { contract } = await compileOnce(document)
    server.use(...createHandlers({ ...standard, contract, scenario }).handlers)
    await runSteps({ send }, steps, 'MSW')
  })

  async function send({ method, target, headers = [], body }: RawRequest) {
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
    const response = await fetch(
      `https://api.example${target}`,
      body === undefined ? init : { ...init, body: toBytes(body) },
    )
    return {
      status: response.status,
      headers: toOwnHeaders([...response.headers], method),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  }
})
