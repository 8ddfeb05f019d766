/** The request log of the real program. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bin, start } from '../support/launch.js'
import { sendBytes } from '../support/raw-http.js'
import { addPet, freePort, listPets, stackTrace, statusFor } from '../support/serving.js'
import { serveWarm as serve } from '../support/warm.js'

describe('the request log', () => {
  /** A request that is answered, one that is refused, one that is none of the service's. */
  async function callThree({ url }: { url: string }): Promise<void> {
    await listPets({ url }, '?limit=3')
    await addPet(url, 'Kim', { Authorization: 'Bearer nobody' })
    await fetch(`${url}/_sandbox/health`)
  }

  it('has a line for each request', async () => {
    const program = await serve()
    await callThree(program)
    const { stdout, stderr } = await program.stop()
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/v1\/pets\?limit=3 200 \d+\.\d ms$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d POST {3}\/v1\/pets 401 \d+\.\d ms {2}\S.*key.*Bearer sandbox/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/_sandbox\/health 200 \d+\.\d ms$/),
      '',
    ])
    expect(stdout).toMatch(/is ready on http:\S+\n$/)
  })

  it('is JSON for machines, line by line', async () => {
    const program = await serve(['--log', 'json'])
    await callThree(program)
    const { stderr } = await program.stop()
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const common = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), ms: expect.any(Number) }
    expect(entries).toEqual([
      { ...common, method: 'GET', target: '/v1/pets?limit=3', status: 200 },
      { ...common, method: 'POST', target: '/v1/pets', status: 401, refused: expect.stringContaining('key') },
      { ...common, method: 'GET', target: '/_sandbox/health', status: 200 },
    ])
  })

  it('says of a client that closes its connection that it did, and of bytes that are not HTTP what they are', async () => {
    const program = await serve()
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sandbox\r\n'
    const json = 'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{'
    await sendBytes(program.port, [head + json], { halfClose: true })
    await sendBytes(program.port, [head], { halfClose: true })
    await sendBytes(program.port, ['HELLO\r\n\r\n'])
    const { stderr } = await program.stop()
    const closed = '400 [\\d.]+ ms  The client closed the connection before the request was complete'
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`POST {3}/v1/pets ${closed}$`)),
      expect.stringMatching(new RegExp(` - {6}- ${closed}$`)),
      expect.stringMatching(/ - {6}- 400 [\d.]+ ms {2}This is not an HTTP request$/),
      '',
    ])
  })

  it('is left out with none', async () => {
    const program = await serve(['--log', 'none'])
    await callThree(program)
    expect((await program.stop()).stderr).toBe('')
  })

  /** What a terminal must not get: each kind of control character, and each character that changes the direction. */
  const unsafe = [
    '\u001b[2J\n12:00:00 GET /forged 200',
    '\u009b2J',
    '\u007f',
    '\u0085',
    '\u061c',
    '\u200e',
    '\u200f',
  ].concat([...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029'])
  const isUnsafe = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

  it.each(['pretty', 'json'])('cannot be steered by what a request says, as %s', async (format) => {
    const program = await serve(['--log', format])
    for (const name of unsafe) {
      const init = {
        method: 'POST',
        headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' },
        // In a value that is refused, and in the name of a property that is dropped.
        body: JSON.stringify({ name: 'Kim', categoryId: name }),
      }
      await fetch(`${program.url}/v1/pets`, init)
      await fetch(`${program.url}/v1/pets`, {
        ...init,
        body: JSON.stringify({ name: 'Kim', categoryId: 1, [name]: 1 }),
      })
      await fetch(`${program.url}/v1/pets?${encodeURIComponent(name)}=1`, init)
    }
    const text = (await program.stop()).stderr
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(3 * unsafe.length)
    for (const line of lines) {
      expect(line).not.toMatch(isUnsafe)
      if (format === 'json') expect(JSON.parse(line)).toHaveProperty('status')
    }
    if (format === 'json') expect(JSON.parse(lines[0] ?? '').refused).toContain('\\u001b')
  })

  it.each(['pretty', 'json'])('names what was ignored in a request, as %s', async (format) => {
    const program = await serve(['--log', format])
    const headers = { Authorization: 'Bearer sandbox', Prefer: 'code=abc' }
    await fetch(`${program.url}/v1/pets?colour=red`, { headers })
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, 1]))
    const typed = { ...headers, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Kim', categoryId: 1, ...many })
    await fetch(`${program.url}/v1/pets`, { method: 'POST', headers: typed, body })
    const [first = '', second = ''] = (await program.stop()).stderr.trimEnd().split('\n')
    const code = 'preference "code=abc" was ignored: use a documented code or a delay up to 60000'
    const notes = [code, ...[0, 1, 2, 3].map((each) => `unknown property "a${each}" was dropped`), 'and 5 more']
    if (format === 'json') {
      expect(JSON.parse(first).notes).toEqual([code, 'unknown query parameter "colour"'])
      expect(JSON.parse(second).notes).toEqual(notes)
    } else {
      expect(first.endsWith(` ms  ${code}  unknown query parameter "colour"`), first).toBe(true)
      expect(second.endsWith(` ms  ${notes.join('  ')}`), second).toBe(true)
    }
  })

  it.each([
    { closed: ['stdout'], pipe: '| head -1' },
    { closed: ['stdout', 'stderr'], pipe: '2>&1 | head -1' },
  ] as const)('does not end the program when nobody reads on, as in $pipe', async ({ closed }) => {
    const port = await freePort()
    const program = start(['--port', String(port), '--log', 'json'])
    for (const name of closed) program.child[name]?.destroy()
    const url = `http://127.0.0.1:${port}`
    await untilAnswered(url)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGTERM')
    const { code, stderr } = await program.ended
    expect(stderr).not.toMatch(stackTrace)
    expect(code).toBe(0)
  })

  it('goes on when it is piped into head', async () => {
    const port = await freePort()
    const command = ['sh', '-c', `"${process.execPath}" "${bin}" --port ${port} | head -1`] as const
    const program = start([], { command, isGroup: true })
    const url = `http://127.0.0.1:${port}`
    await untilAnswered(url)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGTERM')
    const { stdout, stderr } = await program.ended
    expect(stdout).toMatch(/^petstore-sandbox \S+: Pet Store 1\.0\.0\n$/)
    expect(stderr).not.toMatch(stackTrace)
  })

  async function untilAnswered(url: string): Promise<void> {
    for (;;) {
      const status = await fetch(`${url}/_sandbox/health`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return
      await sleep(20)
    }
  }
})
