/** How the real program ends. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { beginRequest, untilRefused } from '../support/in-flight.js'
import { serve } from '../support/launch.js'
import { expectBefore } from '../support/prompt.js'
import { stackTrace, statusFor } from '../support/serving.js'

describe('the end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'comes by %s after the request in flight is answered, with 0',
    async (name) => {
      const program = await serve()
      const { finish } = await beginRequest(program.port, { Prefer: 'delay=1500' })
      program.signal(name)
      await untilRefused(program.port)
      const answer = await finish()
      expect(answer).toMatchObject({ status: 201, connection: 'close', body: { name: 'In flight' } })
      expect(await program.ended).toMatchObject({ code: 0, signal: null })
    },
  )

  // Each of these would last a minute.
  it.each([
    { what: 'a delayed answer', begin: (port: number) => beginRequest(port, { Prefer: 'delay=60000' }) },
    { what: 'a body that never arrives', begin: (port: number) => beginRequest(port), isCut: true },
  ])('does not wait a minute for $what', async ({ begin, isCut = false }) => {
    await expectBefore(50_000, async (start) => {
      const program = await serve()
      const { answer, finish } = await begin(program.port)
      const outcome = (isCut ? answer : finish()).then(
        ({ status, connection }) => ({ status, connection }),
        (error: NodeJS.ErrnoException) => error.code,
      )
      if (!isCut) await expect.poll(async () => statusFor(program.url, 'sandbox')).toBe(200)
      start()
      program.signal('SIGTERM')
      expect(await program.ended).toMatchObject({ code: 0, signal: null })
      expect(await outcome).toEqual(isCut ? 'ECONNRESET' : { status: 201, connection: 'close' })
    })
  })

  it('does not wait for a log that nobody reads', async () => {
    const program = await serve(['--log', 'json'])
    program.child.stderr?.pause()
    // More than the pipe and this process take.
    for (let count = 0; count < 100; count++) await fetch(`${program.url}/nothing?${'x'.repeat(8_000)}`)
    program.signal('SIGTERM')
    expect(await once(program.child, 'exit')).toEqual([0, null])
    program.child.stderr?.resume()
  })

  it('comes with 0 when nothing is in flight', async () => {
    const program = await serve()
    expect(await program.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  // Each would be cut after eight seconds.
  it.each([
    { state: 'is kept alive after an answer', sent: 'GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    { state: 'has sent nothing yet', sent: '' },
    { state: 'has sent half a head', sent: 'GET /v1/pets HTTP/1.1\r\nHo' },
  ])('does not wait for a connection that $state', async ({ sent }) => {
    await expectBefore(7_000, async (start) => {
      const program = await serve()
      const socket = connect(program.port, '127.0.0.1')
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
      socket.on('error', () => {})
      await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
      if (sent.endsWith('\r\n\r\n')) await new Promise((resolve) => socket.once('data', resolve))
      else await statusFor(program.url, 'sandbox')
      start()
      expect(await program.stop()).toMatchObject({ code: 0, signal: null })
      await closed
    })
  })

  it('does not wait for the pool of a client that keeps its connections', async () => {
    await expectBefore(7_000, async (start) => {
      const program = await serve()
      const agent = new Agent({ keepAlive: true, maxSockets: 4 })
      onTestFinished(() => agent.destroy())
      await Promise.all(
        Array.from({ length: 8 }, () => {
          return new Promise((resolve, reject) => {
            const outgoing = request(`${program.url}/_sandbox/health`, { agent }, (incoming) => {
              incoming.resume().on('end', resolve)
            })
            outgoing.on('error', reject).end()
          })
        }),
      )
      start()
      expect(await program.stop()).toMatchObject({ code: 0, signal: null })
    })
  })

  it.each([
    { first: 'SIGINT', second: 'SIGINT', code: 130 },
    { first: 'SIGTERM', second: 'SIGINT', code: 130 },
    { first: 'SIGINT', second: 'SIGTERM', code: 143 },
  ] as const)('comes at once by $second after $first', async ({ first, second, code }) => {
    const program = await serve()
    const inFlight = await beginRequest(program.port)
    const answer = inFlight.answer.catch((error: NodeJS.ErrnoException) => error.code)
    program.signal(first)
    await untilRefused(program.port)
    // The first has been obeyed by now; what comes within a tenth of a second is the same press of Ctrl-C.
    await sleep(300)
    program.signal(second)
    expect(await program.ended).toMatchObject({ code, signal: null })
    expect(await answer).toBe('ECONNRESET')
  })

  it('takes a press of Ctrl-C that npm passes on as one signal', async () => {
    const program = await serve()
    const { finish } = await beginRequest(program.port)
    // It finds both when it wakes up, so none of them is late.
    program.signal('SIGSTOP')
    program.signal('SIGINT')
    program.signal('SIGTERM')
    program.signal('SIGCONT')
    await untilRefused(program.port)
    expect(await finish()).toMatchObject({ status: 201 })
    expect(await program.ended).toMatchObject({ code: 0, signal: null })
  })

  it('survives a client that goes away in the middle of its request', async () => {
    const program = await serve(['--log', 'json'])
    const socket = connect(program.port, '127.0.0.1')
    socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sandbox\r\nContent-Type: application/json\r\n' +
        'Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"name"',
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(await statusFor(program.url, 'sandbox')).toBe(200)
    const { code, stderr } = await program.stop()
    expect(stderr).not.toMatch(stackTrace)
    expect(code).toBe(0)
  })
})
