/**
 * Everything that the README shows is run, and gives what the README says it gives.
 * `UPDATE_README=1 npx vitest run test/readme.test.ts` writes down what the commands print now.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import { bin, root, run, serve, start, untilReady } from './support/launch.js'

const file = join(root, 'README.md')
const readme = await readFile(file, 'utf8')
const folder = join(root, '.reports', 'readme')
const isUpdating = process.env['UPDATE_README'] === '1'

/** The contents of all code blocks in a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = '']) =>
    found === language ? [text] : [],
  )
}

/** A command with what it prints. */
interface Shown {
  command: string
  output: string
}

function toShown(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\n')
      return { command: text.slice(0, end), output: text.slice(end + 1).trimEnd() }
    })
}

const sessions = blocks('console').map(toShown)
beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
})

/** What changes from run to run or says nothing about the service is not shown. */
function withoutNoise(output: string): string {
  return output
    .replaceAll('\r', '')
    .replace(/^(Date|Connection|Keep-Alive): .*\n/gm, '')
    .trimEnd()
}

it('prints what the README says it prints', async () => {
  const server = await serve(['--log', 'none'])
  const port = String(server.port)
  const print = async (command: string): Promise<string> => {
    if (command === 'petstore-sandbox') return server.stdout()
    const [program = '', ...args] = command.split(' ')
    if (program === 'petstore-sandbox') return (await run(args)).stdout
    if (program !== 'curl') throw new Error(`The README shows a command that this test does not know: ${command}`)
    return (await run([], { command: ['sh', '-c', command.replaceAll('4010', port)] })).stdout
  }
  const printed: Shown[] = []
  for (const { command } of sessions.flat()) {
    printed.push({ command, output: withoutNoise(await print(command)).replaceAll(port, '4010') })
  }
  await server.stop()
  if (isUpdating) return writeFile(file, withSessions(printed))
  expect(printed).toEqual(sessions.flat())
  expect(printed.length).toBeGreaterThan(7)
})

/** The README with these commands and outputs in its sessions. */
function withSessions(printed: Shown[]): string {
  const left = [...printed]
  return readme.replace(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
    const shown = left.splice(0, toShown(block).length)
    return `\`\`\`console\n${shown.map(({ command, output }) => `$ ${command}\n${output}\n`).join('')}\`\`\``
  })
}

const snippets = blocks('ts').map((code, index) => ({ code, path: join(folder, `snippet-${index + 1}.mts`) }))

it.each(snippets)('runs the snippet $path', async ({ code, path }) => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  const script = path.replace('.mts', '.mjs')
  await writeFile(script, outputText)
  const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text)
  const { code: exit, stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toEqual(promised)
  expect(exit).toBe(0)
})

it('shows snippets that type-check', async () => {
  await Promise.all(snippets.map(({ path, code }) => writeFile(path, code)))
  const program = ts.createProgram(
    snippets.map(({ path }) => path),
    {
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    },
  )
  const diagnostics = ts.getPreEmitDiagnostics(program)
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  expect(snippets.length).toBeGreaterThan(2)
})

it('shows a scenario file that can be served', async () => {
  const [json = ''] = blocks('json')
  const scenario = join(folder, 'scenario.json')
  await writeFile(scenario, json)
  const own = await serve(['--log', 'none', '--scenario', scenario])
  const response = await fetch(`${own.url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
  expect(await response.json()).toEqual(Object.values(JSON.parse(json))[0])
  await own.stop()
})

it.each(blocks('sh').flatMap((block) => block.trim().split('\n')))(
  'shows a command that works: %s',
  async (command) => {
    if (command === 'npm cit') {
      // The one command that would run this test again; CI runs it, and only it runs this.
      expect(await readFile(join(root, '.ci/run'), 'utf8')).toMatch(/^npm cit\b/m)
      return
    }
    const words = command.replace('npm ci && ', '').replace('npx petstore-sandbox', `node ${bin}`).split(' ')
    const [program = '', ...args] = words
    const env = { PETSTORE_SANDBOX_PORT: '0' }
    // A signal to all of the group, as Ctrl-C on a terminal: npm does not pass one on.
    const running = start([], { command: [program, ...args], env, isGroup: true })
    expect((await fetch(`${await untilReady(running)}/_sandbox/health`)).status).toBe(200)
    running.signal('SIGINT')
    const { code, signal } = await running.ended
    // npm ends by the signal itself, when the program has.
    expect(code ?? signal).toBe(program === 'npm' ? 'SIGINT' : 0)
  },
)
