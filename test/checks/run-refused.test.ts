/** `run` and requests that the server itself refuses, or that the client breaks off. */
import { describe, expect, it } from 'vitest'
import { runWarm } from '../support/warm.js'

const prelude = `
  import { connect } from 'node:net'
  import { once } from 'node:events'
  const { port } = new URL(process.env.PETSTORE_SANDBOX_URL)
  const list = () => fetch(process.env.PETSTORE_BASE_URL + '/pets', { headers: { Authorization: 'Bearer sandbox' } })
  const crlf = '\\r\\n'
  const head = (...lines) => [...lines, '', ''].join(crlf)
  const get = (host) => head('GET /v1/pets HTTP/1.1', 'Host: ' + host, 'Connection: close')
  const post = (...lines) =>
    head('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Authorization: Bearer sandbox', 'Content-Type: application/json', ...lines)
  const raw = async (text, isBrokenOff = false) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    if (isBrokenOff) socket.end(text)
    else socket.write(text)
    await once(socket, 'close')
  }
`

async function run(code: string) {
  const consumer = [process.execPath, '--input-type=module', '-e', prelude + code]
  const { code: exitCode, stdout } = await runWarm(['run', '--report', 'json', '--', ...consumer])
  const { requests, notes, findings, failures = [] } = JSON.parse(stdout)
  return { exitCode, requests, notes, findings: findings.map(({ id }: { id: string }) => id), failures }
}

const passed = { exitCode: 0, findings: [], failures: [] }

describe('a request that the server refuses', () => {
  it('is counted and noted if its host is foreign', async () => {
    const result = await run("await list(); for (const _ of [1, 2]) await raw(get('pets.proxy.example'))")
    const note =
      '2 requests did not reach the service, the first one GET /v1/pets: 421, The host "pets.proxy.example" is not ' +
      'allowed: only names of this machine are, because any website can point its own name here (DNS rebinding)'
    expect(result).toEqual({ ...passed, requests: 3, notes: [note] })
  })

  it('is counted and noted if it is not HTTP', async () => {
    const result = await run("await list(); await raw('HELLO' + crlf + crlf)")
    const notes = ['1 request did not reach the service: 400, This is not an HTTP request']
    expect(result).toEqual({ ...passed, requests: 2, notes })
  })

  it('is no request that a run needs to pass', async () => {
    const { exitCode, requests, failures } = await run("await raw(get('pets.proxy.example'))")
    expect([exitCode, requests]).toEqual([1, 1])
    const message = 'no request except 1 that it refused reached the sandbox'
    expect(failures).toEqual([expect.objectContaining({ message })])
  })

  it('is only counted after ten reasons', async () => {
    const result = await run("await list(); for (let n = 0; n < 30; n++) await raw(get('h' + n + '.example'))")
    expect([result.requests, result.notes.length]).toEqual([31, 11])
    expect(result.notes.at(-1)).toBe('20 more requests did not reach the service')
  })
})

const aborted = `
  const controller = new AbortController()
  const pull = (stream) => {
    stream.enqueue(new Uint8Array(9))
    setTimeout(() => controller.abort(), 100)
    return new Promise(() => {})
  }
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: new ReadableStream({ pull }), duplex: 'half', signal: controller.signal }
  await fetch(process.env.PETSTORE_BASE_URL + '/pets', init).catch(() => {})`

describe('an upload that the client breaks off', () => {
  it.each([
    ['before its length', `await raw(post('Content-Length: 500') + '{"name":', true)`],
    ['between two chunks', `await raw(post('Transfer-Encoding: chunked') + '2' + crlf + '{"' + crlf, true)`],
    ['in the head', `await raw('POST /v1/pets HTTP/1.1' + crlf + 'Host: lo', true)`],
    ['by a signal', aborted],
  ])('%s is no finding', async (_, code) => {
    const { requests, ...result } = await run(`await list(); ${code}; await list()`)
    expect(result).toEqual({ ...passed, notes: [] })
  })

  it('is a finding if it is malformed', async () => {
    const { findings } = await run("await raw(post('Transfer-Encoding: chunked') + 'zz' + crlf)")
    expect(findings).toEqual(['invalid-body POST /pets body not-text'])
  })
})
