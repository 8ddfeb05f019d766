/** The options of the real program, from the command line and from the environment. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bin, run, serve, start, untilReady } from '../support/launch.js'
import { sendBytes, statusesOf } from '../support/raw-http.js'
import { addPet, books, freePort, listPets, statusFor, takenPort, writeFolder } from '../support/serving.js'
import { runWarm, serveWarm, type WarmServer } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await writeFolder({
    'two-pets.json':
      '{"pets":[{"id":7,"name":"Ida","categoryId":1},{"id":9007199254740993,"name":"Uwe","categoryId":2}]}',
  })
})

afterAll(() => rm(folder, { recursive: true }))

interface OptionCase {
  option: string
  value: string
  /** What goes on the command line. @default the option with its value */
  args?: readonly string[]
  /** What somebody sees of it. */
  look(server: WarmServer): Promise<unknown>
  /** What is seen with the option, and is not without. */
  shows: unknown
}

const options: readonly OptionCase[] = [
  { option: 'host', value: 'localhost', look: async ({ url }) => new URL(url).hostname, shows: 'localhost' },
  {
    option: 'api-key',
    value: 'first,second',
    args: ['--api-key', 'first', '--api-key', 'second'],
    look: ({ url }) => Promise.all(['first', 'second', 'sandbox'].map((key) => statusFor(url, key))),
    shows: [200, 200, 401],
  },
  { option: 'scenario', value: 'empty', look: async (server) => (await listPets(server)).length, shows: 0 },
  { option: 'records', value: '3', look: async (server) => (await listPets(server)).length, shows: 3 },
  {
    option: 'spec',
    value: books,
    look: async ({ url }) => (await (await fetch(`${url}/_sandbox/openapi.json`)).json()).info.title,
    shows: 'Book Shelf',
  },
  {
    option: 'allow-host',
    value: 'one.example,two.example',
    args: ['--allow-host', 'one.example', '--allow-host', 'two.example'],
    look: ({ port }) => Promise.all(['one', 'two', 'three'].map((name) => statusForHost(port, `${name}.example`))),
    shows: [401, 401, 421],
  },
  { option: 'cors', value: 'false', look: allowedOrigin, shows: null },
  {
    option: 'max-body',
    value: '1k',
    look: async ({ url }) => [
      (await addPet(url, 'x'.repeat(980))).status,
      (await addPet(url, 'x'.repeat(1000))).status,
    ],
    shows: [201, 413],
  },
  {
    option: 'max-memory',
    value: '1m',
    look: async ({ url }) => [
      (await addPet(url, 'x'.repeat(500_000))).status,
      (await addPet(url, 'x'.repeat(600_000))).status,
    ],
    shows: [201, 413],
  },
  {
    option: 'log',
    value: 'json',
    look: async ({ url, stop }) => {
      await statusFor(url, 'sandbox')
      return (await stop()).stderr.slice(0, 8)
    },
    shows: '{"time":',
  },
  {
    option: 'at',
    value: '2030-12-05T00:00:00Z',
    look: async ({ url }) => {
      const [pet] = await listPets({ url })
      const response = await fetch(`${url}/v1/pets/${pet?.id}`, { headers: { Authorization: 'Bearer sandbox' } })
      return (await response.json()).code
    },
    shows: 'removed',
  },
]

async function statusForHost(port: number, host: string): Promise<number | undefined> {
  const head = `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  return statusesOf(await sendBytes(port, [head]))[0]
}

async function allowedOrigin({ url }: WarmServer): Promise<string | null> {
  const response = await fetch(`${url}/v1/pets`, { headers: { Origin: 'https://app.example' } })
  return response.headers.get('access-control-allow-origin')
}

function toVariable(option: string): string {
  return `PETSTORE_SANDBOX_${option.toUpperCase().replaceAll('-', '_')}`
}

describe('options', () => {
  it.each(options)('obeys --$option', async ({ option, value, args = [`--${option}`, value], look, shows }) => {
    expect(await look(await serve(args))).toEqual(shows)
  })

  it.each(options.map((each) => ({ ...each, variable: toVariable(each.option) })))(
    'obeys $variable=$value',
    async ({ variable, value, look, shows }) => {
      expect(await look(await serveWarm([], { env: { [variable]: value } }))).toEqual(shows)
    },
  )

  it.each(options)('is otherwise without --$option', async ({ look, shows }) => {
    expect(await look(await serveWarm())).not.toEqual(shows)
  })

  it.each([
    { source: '--seed 7', args: ['--seed', '7'], launch: {} },
    { source: 'PETSTORE_SANDBOX_SEED=7', args: [], launch: { env: { PETSTORE_SANDBOX_SEED: '7' } } },
  ])('generates from $source what any other start with that seed does', async ({ args, launch }) => {
    const server = await serveWarm(['--records', '30', ...args], launch)
    const again = await startServer({ port: 0, records: 30, seed: 7 })
    const other = await startServer({ port: 0, records: 30, seed: 8 })
    onTestFinished(async () => void (await Promise.all([again.close(), other.close()])))
    const pets = await listPets(server, '?limit=100')
    expect(pets).toHaveLength(30)
    expect(pets).toEqual(await listPets(again, '?limit=100'))
    expect(pets).not.toEqual(await listPets(other, '?limit=100'))
  })

  it('reads a scenario from a file, every digit of it', async () => {
    const { url } = await serveWarm(['--scenario', join(folder, 'two-pets.json')])
    const response = await fetch(`${url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
    expect(await response.text()).toBe(
      '[{"id":9007199254740993,"name":"Uwe","categoryId":2},{"id":7,"name":"Ida","categoryId":1}]',
    )
  })

  it.each([[['--no-cors']], [['--cors', 'off']], [['--cors', '0']]])(
    'answers no other origin with %j',
    async (args) => {
      expect(await allowedOrigin(await serveWarm(args))).toBeNull()
    },
  )

  it.each([[[]], [['--cors']], [['--cors', 'yes']]])('answers any origin with %j', async (args) => {
    expect(await allowedOrigin(await serveWarm(args))).toBe('https://app.example')
  })

  it.each(['65m', '8g', '67108865', '99999999999999999999', '1e3', '-1'])('refuses --max-body %s', async (value) => {
    const { code, stdout, stderr } = await runWarm(['--port', '0', `--max-body=${value}`])
    expect(stderr).toContain(`at most 64m (got "${value}")`)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('accepts --max-body 64m', async () => {
    expect((await addPet((await serveWarm(['--max-body', '64m'])).url, 'x'.repeat(2_000_000))).status).toBe(201)
  })

  describe('without a value, as from an unset variable of a shell', () => {
    const names = ['port', ...options.map(({ option }) => option), 'seed']

    it.each(
      names.flatMap((name) => [
        [name, ''],
        [name, ' \t'],
      ]),
    )('refuses --%s %j', async (name, value) => {
      const { code, stdout, stderr } = await runWarm([`--${name}`, value], { env: { PETSTORE_SANDBOX_PORT: '0' } })
      expect(stderr).toMatch(/must be|Unknown scenario "|Failed to read "|Failed to set the clock|is invalid/)
      expect(stdout).toBe('')
      expect(code).toBe(2)
    })

    it.each(names)('takes an empty variable for none: %s', async (name) => {
      const variable = toVariable(name)
      const { url } = await serveWarm([], { env: { [variable]: '' } })
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    })

    it.each(names)('refuses a blank variable: %s', async (name) => {
      const { code, stdout } = await runWarm(name === 'port' ? [] : ['--port', '0'], {
        env: { [toVariable(name)]: ' ' },
      })
      expect(stdout).toBe('')
      expect(code).toBe(2)
    })
  })

  it('lets the command line decide before the environment', async () => {
    const server = await serveWarm(['--scenario', 'empty'], { env: { PETSTORE_SANDBOX_SCENARIO: 'default' } })
    expect(await listPets(server)).toEqual([])
    expect(await allowedOrigin(await serveWarm(['--no-cors'], { env: { PETSTORE_SANDBOX_CORS: 'true' } }))).toBeNull()
  })

  // Which port was chosen is seen from the refusal of one that is taken: so no free one has to be guessed.
  it.each([
    { sources: ['flag', 'own', 'common'], chosen: 'flag' },
    { sources: ['flag', 'common'], chosen: 'flag' },
    { sources: ['own', 'common'], chosen: 'own' },
    { sources: ['common'], chosen: 'common' },
  ] as const)('takes the port from $chosen when there is $sources', async ({ sources, chosen }) => {
    const ports = { flag: await takenPort(), own: await takenPort(), common: await takenPort() }
    const given = (source: keyof typeof ports) => (sources.some((each) => each === source) ? `${ports[source]}` : '')
    const { stderr, code } = await runWarm(given('flag') ? ['-p', given('flag')] : [], {
      env: { PETSTORE_SANDBOX_PORT: given('own'), PORT: given('common') },
    })
    expect(stderr).toContain(`Port ${ports[chosen]} on 127.0.0.1 is in use`)
    expect(code).toBe(2)
  })

  it('takes port 4010 when none is given', async () => {
    // It is free or not, as it happens on this machine.
    const said = await untilReady(start([])).catch((error: Error) => error.message)
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1:4010$|Port 4010 on 127\.0\.0\.1 is in use/)
  })

  it('listens where it is told to', async () => {
    const port = await freePort()
    expect(await untilReady(start([`--port=${port}`]))).toBe(`http://127.0.0.1:${port}`)
  })

  it.each([[['-h']], [['--help']], [['serve', '-h']], [['serve', '--help']], [['help', 'serve']]])(
    'explains every option and its variable with %j',
    async (args) => {
      const { code, stdout, stderr } = await runWarm(args)
      for (const { option } of [...options, { option: 'port' }, { option: 'seed' }]) {
        expect(stdout).toMatch(new RegExp(`^ +(-\\w, )?--${option} [<[]`, 'm'))
        expect(stdout).toMatch(new RegExp(`^ +${toVariable(option)}$`, 'm'))
      }
      expect(stdout).toContain('-h, --help')
      expect(stderr).toBe('')
      expect(code).toBe(0)
    },
  )
})

it.runIf(process.platform !== 'win32')('reads a document from a pipe, and from stdin', async () => {
  const pipes = ['cat "$2" | "$0" "$1" export msw --spec /dev/stdin', '"$0" "$1" export msw --spec <(cat "$2")']
  for (const pipe of pipes) {
    const folder = await writeFolder({})
    const out = join(folder, 'handlers.js')
    const command = ['bash', '-c', `${pipe} --out "$3"`, process.execPath, bin, books, out] as const
    expect(await run([], { command })).toMatchObject({ code: 0 })
  }
})
