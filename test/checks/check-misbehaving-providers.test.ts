/** Providers that do their worst: `check` says what they did, keeps its memory, and ends. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, provide, services } from '../support/providers.js'
import { runWarm, type WarmEnding } from '../support/warm.js'

/** What a check may take beyond what its process had, in MiB. */
const mostMemory = 320

interface Misbehaviour {
  name: string
  /** Called when a request has come in, and again for each that follows on the connection. */
  answer(socket: Socket): void
  /** Rules of the findings that are to be there. */
  finds: readonly string[]
  /** What the report says of it. */
  says?: string
  /** What one request may take, in seconds. @default 240 */
  timeout?: number
}

const json = 'Content-Type: application/json'

function respond(body: string, { status = '200 OK', headers = [json] } = {}): (socket: Socket) => void {
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', '']
  return (socket) => void socket.write(head.join('\r\n') + body)
}

/** Writes a piece again and again, as fast as it is taken. */
function forever(first: string, piece: string | Buffer): (socket: Socket) => void {
  return (socket) => {
    socket.write(first)
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
      socket.once('drain', pump)
    }
    pump()
  }
}

function drip(first: string, piece: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), 20)
    socket.on('close', () => clearInterval(timer))
  }
}

const megabyte = Buffer.alloc(1024 * 1024, ' ')
const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])

const misbehaviours: readonly Misbehaviour[] = [
  {
    name: 'says nothing',
    answer: () => {},
    finds: ['no-answer'],
    says: 'gave no complete answer within 0.1 s',
    timeout: 0.1,
  },
  { name: 'hangs up', answer: (socket) => void socket.destroy(), finds: ['no-answer'], says: 'closed the connection' },
  {
    name: 'resets',
    answer: (socket) => void socket.resetAndDestroy(),
    finds: ['no-answer'],
    says: 'closed the connection',
  },
  {
    name: 'speaks another language',
    answer: (socket) => void socket.end('\0\xff\x16\x03 220 smtp ready\r\n'),
    finds: ['no-answer'],
    says: 'not HTTP',
  },
  {
    name: 'sends a gigabyte',
    answer: forever(`HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`, chunk),
    finds: ['no-answer'],
    says: 'more than 4194304 bytes',
  },
  {
    name: 'announces a gigabyte',
    answer: forever(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 1073741824\r\n\r\n`, megabyte),
    finds: ['no-answer'],
    says: 'more than 4194304 bytes',
  },
  {
    name: 'sends headers without end',
    answer: forever('HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(1000)}\r\n`),
    finds: ['no-answer'],
    says: 'not HTTP',
  },
  {
    name: 'sends one header without end',
    answer: forever('HTTP/1.1 200 OK\r\nX-More: ', 'x'.repeat(1000)),
    finds: ['no-answer'],
    says: 'not HTTP',
  },
  {
    name: 'asks to go on without end',
    answer: forever('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    finds: ['no-answer'],
    timeout: 0.1,
  },
  {
    name: 'drips its headers',
    answer: drip('HTTP/1.1 200 OK\r\n', 'X-More: x\r\n'),
    finds: ['no-answer'],
    says: 'gave no complete answer within 0.1 s',
    timeout: 0.1,
  },
  {
    name: 'drips its body',
    answer: drip(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 100000\r\n\r\n`, ' '),
    finds: ['no-answer'],
    says: 'gave no complete answer within 0.1 s',
    timeout: 0.1,
  },
  {
    name: 'stops in the middle',
    answer: (socket) => void socket.end(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 100\r\n\r\n[{"id":`),
    finds: ['no-answer'],
    says: 'closed the connection',
  },
  {
    name: 'switches protocols',
    answer: (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    finds: [],
  },
  {
    name: 'is busy for ever',
    answer: respond('', { status: '429 Too Many Requests', headers: ['Retry-After: 0'] }),
    finds: ['no-answer'],
    says: 'still answered 429 after 3 retries',
  },
  ...['1000000000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'].map((time) => ({
    name: `is busy until ${time.slice(0, 40)}`,
    answer: respond('', { status: '429 Too Many Requests', headers: [`Retry-After: ${time}`] }),
    finds: ['no-answer'],
    says: 'answered 429 with a Retry-After of more than 10 s',
  })),
  {
    name: 'has no media type that there is',
    answer: respond('[]', { headers: ['Content-Type: ;;/json'] }),
    finds: ['response-schema'],
    says: 'is not a media type',
  },
  {
    name: 'sends a number beyond all',
    answer: respond('[{"id":1e400,"name":"x","categoryId":-1e400}]'),
    finds: ['response-schema'],
  },
  {
    name: 'sends a very long number',
    answer: respond(`[{"id":${'9'.repeat(100_000)},"name":"x","categoryId":1}]`),
    finds: ['response-schema'],
  },
  {
    name: 'sends a deep list',
    answer: respond('['.repeat(30_000) + ']'.repeat(30_000)),
    finds: ['credentials-not-checked'],
  },
  {
    name: 'sends deep objects',
    answer: respond(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`),
    finds: ['response-schema'],
  },
  {
    name: 'sends a long list of what is wrong',
    answer: respond(`[${'0,'.repeat(50_000)}0]`),
    finds: ['response-schema'],
  },
  {
    name: 'sends a long list of records',
    answer: respond(`[${'{"id":1,"name":"x","categoryId":1},'.repeat(5_000)}{}]`),
    finds: ['response-schema'],
  },
  {
    name: 'sends what objects inherit',
    answer: respond('[{"__proto__":{"id":1},"constructor":1,"toString":1,"id":1}]'),
    finds: ['response-schema'],
  },
  {
    name: 'sends what is not UTF-8',
    answer: (socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 4\r\n\r\n`),
          Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
        ]),
      ),
    finds: ['response-schema'],
  },
  {
    name: 'has a page for everything',
    answer: respond('<!doctype html><title>Welcome</title>', { headers: ['Content-Type: text/html'] }),
    finds: ['credentials-not-checked', 'invalid-request-accepted', 'response-schema'],
  },
  { name: 'fails always', answer: respond('', { status: '500 Internal Server Error' }), finds: ['server-error'] },
  { name: 'has a status of its own', answer: respond('', { status: '799 Whatever' }), finds: [] },
]

/** @returns its address */
async function misbehave(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      // Each request ends with its head or its body, and no two come in one piece.
      if (/^[A-Z]+ \//.test(bytes.toString('latin1'))) answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function checkAt(url: string, args: readonly string[] = []): Promise<WarmEnding> {
  const check = ['check', url, '--api-key', 'sandbox', '--report', 'json', ...args]
  return runWarm(check, { isMemoryMeasured: true })
}

describe('a provider that', () => {
  it.each(misbehaviours)('$name is told of', async ({ answer, finds, says = '', timeout = 240 }) => {
    const { code, stdout, stderr, peak } = await checkAt(await misbehave(answer), ['--timeout', String(timeout)])
    expect(stderr).toBe('')
    const { findings } = JSON.parse(stdout)
    const rules = new Set(findings.map(({ rule }: { rule: string }) => rule))
    for (const rule of finds) expect(rules).toContain(rule)
    expect(stdout).toContain(says)
    expect(code).toBe(1)
    expect(peak).toBeLessThan(mostMemory)
  })
})

it('redirects, is told of and not followed, and another server sees neither key nor request', async () => {
  const seen: string[] = []
  const other = await listen((request, response) => {
    seen.push(request.url ?? '')
    response.end()
  })
  const url = await listen((_, response) => {
    response.writeHead(308, { Location: `${other}/v1/pets` }).end()
  })
  const { code, stdout } = await checkAt(`${url}/v1`)
  expect(seen).toEqual([])
  expect(stdout).toContain(`answered 308 to ${other}/v1/pets; redirects are not followed`)
  expect(code).toBe(1)
})

it('that recovers is checked further, and what was not checked is said', async () => {
  const url = await provide(services.pets, (asked, next) => (asked.method === 'POST' ? Promise.reject() : next()))
  const { code, stdout, stderr } = await checkAt(url)
  const { findings, notes, requests } = JSON.parse(stdout)
  expect(stderr).toBe('')
  expect(findings.map(({ id }: { id: string }) => id)).toEqual(['no-answer POST /pets dropped'])
  expect(notes).toContainEqual(
    expect.stringMatching(/^createPet was not checked completely: the provider gave no answer 3 times/),
  )
  expect(requests).toBeGreaterThan(60)
  expect(code).toBe(1)
})
