/**
 * Records the built program and curl in two terminals, as the animated image of the README. What they print is what the
 * image shows, except for the port and for times: each run writes the same bytes. `--to <file>` writes another file.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { drawTerminals } from './draw-terminals.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const { values } = parseArgs({ options: { to: { type: 'string', default: `${root}docs/images/terminal.svg` } } })

/** The address that the image shows. The server listens on a free port. */
const shown = '127.0.0.1:4010'
const pets = `curl --oauth2-bearer sandbox ${shown}/v1/pets`
/** Each with the seconds before it is typed. One that is repeated comes from the history of the shell. */
const requests = [
  { pause: 0.7, command: `${pets} --json '{"name":"Rex","categoryId":3}'` },
  { pause: 1.2, command: `curl --oauth2-bearer sandbox "${shown}/v1/pets?limit=2"` },
  { pause: 1.5, command: `${pets} --json '{"categoryId":"3","status":"gone"}'` },
  {
    pause: 2.6,
    command: `curl ${shown}/_sandbox/faults --json '{"operation":"createPet","times":1,"status":503}'`,
  },
  { pause: 1, command: `${pets} --json '{"name":"Ida","categoryId":1}'` },
  { pause: 1.6, command: `${pets} --json '{"name":"Ida","categoryId":1}'`, isRepeated: true },
]

/** Of both programs: no settings of the user, and the same output at any time. */
const env = {
  PATH: process.env.PATH,
  HOME: root,
  PETSTORE_SANDBOX_PORT: '0',
  PETSTORE_SANDBOX_AT: '2026-12-01T09:00:00Z',
}

/** Seconds that a banner, a character, the key Enter and the last frame take. */
const pace = { banner: 3, character: 0.015, enter: 0.3, end: 3.6 }
const prompt = '\u001b[34m$\u001b[39m '

const server = { title: 'Terminal 1', rows: 7, writes: [], typed: [] }
const client = { title: 'Terminal 2', rows: 21, writes: [], typed: [] }
let now = 0

const program = await startProgram()
type(server, { pause: 0.6, command: 'npx petstore-sandbox' })
print(server, program.banner)
now += pace.banner
client.opensAt = now
for (const request of requests) {
  type(client, request)
  const own = request.command.replace(shown, program.address)
  const { stdout } = await promisify(execFile)('sh', ['-c', own], { env })
  print(server, await program.nextLogLine())
  // A shell starts its prompt on a new line; the empty one makes the image easier to read.
  print(client, `${stdout}\n\n`)
}
print(client, prompt)
client.cursor = { at: now, column: 2 }
now += pace.end
await program.stop()

const to = resolve(values.to)
await mkdir(dirname(to), { recursive: true })
await writeFile(
  to,
  await drawTerminals({
    title: 'petstore-sandbox in a terminal',
    description:
      'The program starts and prints its addresses and operations. In a second terminal, curl creates a pet and lists it; a ' +
      'wrong request is refused with an error that names each value; a fault makes one request fail with 503, and the next ' +
      'one succeeds. The first terminal logs each request with its status.',
    columns: 100,
    panes: [server, client],
    seconds: now,
  }),
)

function print(pane, text) {
  pane.writes.push({ at: now, text: text.replaceAll(program.address, shown) })
}

/** Types a command behind a prompt. */
function type(pane, { pause, command, isRepeated = false }) {
  pane.writes.push({ at: now, text: `${prompt}\u001b[1m${command}\u001b[22m\n` })
  const from = now + pause
  const until = from + (isRepeated ? 0 : command.length * pace.character)
  pane.typed.push({ at: now, from, until, enter: until + pace.enter, column: 2, length: command.length })
  now = until + pace.enter
}

/** Starts the program on a free port, with the output that it has on a terminal. */
async function startProgram() {
  const asTerminal = 'data:text/javascript,process.stderr.isTTY = true'
  const args = ['--import', asTerminal, `${root}bin/petstore-sandbox.js`]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  process.once('exit', () => child.kill())
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text
    })
  }
  /** Waits until the output has the pattern. Returns the match, and removes it from the output. */
  async function read(name, pattern) {
    for (;;) {
      const found = pattern.exec(printed[name])
      if (found) {
        printed[name] = printed[name].slice(found.index + found[0].length)
        return found
      }
      const ended = closed.then(([code]) => {
        throw new Error(`The program ended with ${code}: ${printed.stderr}`)
      })
      await Promise.race([once(child[name], 'data'), ended])
    }
  }
  const [banner, address] = await read('stdout', /^.*is ready on http:\/\/(\S+)\n/s)
  return {
    banner,
    address,
    async nextLogLine() {
      const [line] = await read('stderr', /^.*\n/)
      return withoutTimes(line)
    },
    async stop() {
      child.kill()
      await closed
    },
  }
}

/** Replaces what differs between two runs: the time of day, by that of the image, and how long a request took. */
function withoutTimes(line) {
  const time = new Date(Date.UTC(2026, 0, 1, 9, 0, now)).toISOString().slice(11, 19)
  return line.replace(/\d\d:\d\d:\d\d/, time).replace(/\d+\.\d ms/, '1.0 ms')
}
