/**
 * Whether findings name the call and the test: forty wrong requests are planted in programs of each test runner, with several
 * HTTP clients, and each is looked up in the report of `run`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLeast, atMost } from './bars.js'

const here = fileURLToPath(new URL('sources/', import.meta.url))
const program = fileURLToPath(new URL('../bin/petstore-sandbox.js', import.meta.url))
const planted = 40

const plain = ['fetch', 'axios', 'undiciRequest', 'undiciFetch', 'httpGet', 'httpRequest']
const all = [...plain, 'got', 'nodeFetch']
const shapes = ['plain', 'concurrent', 'each', 'helper', 'timer', 'nested', 'hook']
/** Two of the forty are sent by a timer that nobody awaits: no stack leads back to their test. */
const bare = [17, 34]

const runners = [
  {
    name: 'Vitest 4',
    folder: '',
    command: ['vitest/vitest.mjs', 'run', '--config'],
    imports: "import { afterEach, beforeEach, describe, test } from 'vitest'",
    extension: 'test.ts',
    config: vitestConfig,
  },
  {
    name: 'Vitest 3',
    folder: 'older',
    command: ['vitest/vitest.mjs', 'run', '--config'],
    imports: "import { afterEach, beforeEach, describe, test } from 'vitest'",
    extension: 'test.ts',
    config: vitestConfig,
  },
  {
    name: 'Jest 30',
    folder: '',
    command: ['jest/bin/jest.js', '--config'],
    imports: '',
    extension: 'test.ts',
    clients: plain,
    config: jestConfig,
  },
  {
    name: 'Jest 29',
    folder: 'older',
    command: ['jest/bin/jest.js', '--config'],
    imports: '',
    extension: 'test.ts',
    config: jestConfig,
  },
  {
    name: 'Mocha 11',
    folder: '',
    command: ['mocha/bin/mocha.js', '--require', 'tsx', '--parallel'],
    imports: 'const test = it',
    extension: 'test.ts',
    isSimple: true,
  },
  {
    name: 'node:test',
    folder: '',
    node: ['--test'],
    imports: "import { afterEach, beforeEach, describe, test } from 'node:test'",
    extension: 'test.mjs',
    isSimple: true,
  },
  {
    name: 'node:test, tsx',
    folder: '',
    node: ['--import', 'tsx', '--test'],
    imports: "import { afterEach, beforeEach, describe, test } from 'node:test'",
    extension: 'test.ts',
    isSimple: true,
  },
  {
    name: 'Playwright',
    folder: '',
    command: ['@playwright/test/cli.js', 'test', '--config'],
    imports: "import { test } from '@playwright/test'\nconst { describe, beforeEach, afterEach } = test",
    extension: 'test.ts',
    clients: [...plain, 'playwright'],
    config: playwrightConfig,
    isSimple: true,
  },
]

export default async function benchSources({ only, say }) {
  const chosen = runners.filter(({ name }) => !only || name.toLowerCase().includes(only.toLowerCase()))
  const rows = []
  const misses = []
  for (const runner of chosen) {
    say(`sources: ${runner.name}`)
    const { calls, tests, wrong, missing } = measure(runner)
    rows.push([runner.name, planted, calls, tests, wrong])
    misses.push(...missing.map((each) => `${runner.name}: ${each}`))
  }
  const share = (at) => (100 * rows.reduce((sum, row) => sum + row[at], 0)) / (planted * rows.length)
  const bars = [
    atLeast('right call, %', share(2), 95),
    atLeast('right test, %', share(3), 90),
    atMost(
      'wrong names',
      rows.reduce((sum, row) => sum + row[4], 0),
      0,
    ),
  ]
  return {
    tables: [{ title: 'Planted findings', head: ['', 'planted', 'right call', 'right test', 'wrong name'], rows }],
    notes: misses,
    bars,
    hasFailed: bars.some(({ isKept }) => !isKept),
    data: rows,
  }
}

function measure(runner) {
  const base = join(here, runner.folder)
  const work = join(base, 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const cases = plant(runner, work)
  const files = cases.files.map((file) => join('work', file))
  const report = join(work, 'report.json')
  const tool = runner.node
    ? [...runner.node, ...files]
    : [
        join('node_modules', runner.command[0]),
        ...runner.command.slice(1),
        ...(cases.config ? [join('work', cases.config)] : files),
      ]
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [program, 'run', '--report', `json=${report}`, '--', process.execPath, ...tool],
    { cwd: base, encoding: 'utf8', timeout: 180_000, env: { ...process.env, CI: '1' } },
  )
  if (!existsSync(report))
    throw new Error(`${runner.name} wrote no report: ${stderr.slice(-2000)} ${stdout.slice(-1000)}`)
  const { findings } = JSON.parse(readFileSync(report, 'utf8'))
  const found = { calls: 0, tests: 0, wrong: 0, missing: [] }
  for (const { id, call, test, name } of cases.planted) {
    const [source] = findings.find(({ path }) => path.endsWith(`/${id}`))?.sources ?? []
    const isCall = source && source.call.file === join('work', call.file) && source.call.line === call.line
    const isTest =
      source?.test &&
      source.test.file === join('work', test.file) &&
      source.test.line >= test.from &&
      source.test.line <= test.to
    if (isCall) found.calls++
    if (isTest) found.tests++
    if (source?.test?.name !== undefined && source.test.name !== name) found.wrong++
    if (!isCall || !isTest) found.missing.push(`${id} ${JSON.stringify(source ?? 'no source')}`)
  }
  rmSync(work, { recursive: true })
  return found
}

function plant(runner, work) {
  const { clients = all, extension, imports, isSimple = false } = runner
  const isTyped = extension.endsWith('ts')
  const client = `client.${isTyped ? 'ts' : 'mjs'}`
  const clientLines = clientSource(isTyped, clients)
  writeFileSync(join(work, client), clientLines.join('\n'))
  const lineOf = (mark) => clientLines.findIndex((line) => line.includes(`// ${mark}`)) + 1
  const parts = [[], []]
  const files = ['first', 'second'].map((name) => `${name}.${extension}`)
  const places = []
  for (let index = 0; index < planted; index++) {
    const lines = parts[index % 2]
    const id = `planted-${String.fromCharCode(97 + Math.floor(index / 26))}${String.fromCharCode(97 + (index % 26))}`
    const used = clients[index % clients.length]
    const shape = bare.includes(index) ? 'bare' : shapes[Math.floor(index / 2) % shapes.length]
    const title = `case ${id}`
    const start = lines.length
    const typed = isTyped ? ': number' : ''
    const run = `await clients.${used}('/${id}')`
    const fixture = used === 'playwright' ? '{ request }' : ''
    const send = used === 'playwright' ? `await clients.playwright('/${id}', request)` : run
    let isNamed = true
    if (shape === 'each') {
      isNamed = false
      if (isSimple)
        lines.push(
          'for (const value of [1]) {',
          `  test(\`${title} \${value}\`, async (${fixture}) => {`,
          `    ${send}`,
          '  })',
          '}',
        )
      else lines.push(`test.each([1])('${title} %i', async (value${typed}) => {`, '  void value', `  ${send}`, '})')
    } else if (shape === 'concurrent') {
      lines.push(
        `${isSimple ? 'test' : 'test.concurrent'}('${title}', async (${fixture}) => {`,
        '  await pause(5)',
        `  ${send}`,
        '})',
      )
    } else if (shape === 'helper') {
      lines.push(
        `test('${title}', async (${fixture}) => {`,
        `  await helped(() => clients.${used}('/${id}'${fixture ? ', request' : ''}))`,
        '})',
      )
    } else if (shape === 'timer') {
      lines.push(`test('${title}', async (${fixture}) => {`, '  await pause(10)', '  await pause(1)', `  ${send}`, '})')
    } else if (shape === 'nested') {
      lines.push(
        `test('${title}', async (${fixture}) => {`,
        `  const results = await Promise.all([pause(1), one()])`,
        `  async function one() {`,
        `    ${send}`,
        '    return 1',
        '  }',
        '  void results',
        '})',
      )
    } else if (shape === 'hook') {
      isNamed = false
      lines.push(
        `describe('group ${id}', () => {`,
        `  beforeEach(async (${fixture}) => {`,
        `    ${send}`,
        '  })',
        `  test('${title}', () => {})`,
        '})',
      )
    } else if (shape === 'bare') {
      lines.push(
        `test('${title}', async (${fixture}) => {`,
        `  setTimeout(async () => {`,
        `    ${send}`,
        '  }, 1)',
        '  await pause(60)',
        '})',
      )
    } else lines.push(`test('${title}', async (${fixture}) => {`, `  ${send}`, '})')
    places.push({
      id,
      call: { file: client, line: lineOf(`call ${used}`) },
      part: index % 2,
      start,
      end: lines.length,
      name: isNamed ? title : undefined,
    })
  }
  const head = [
    ...imports.split('\n'),
    `import { clients } from './client${isTyped ? '' : '.mjs'}'`,
    `const pause = (ms${isTyped ? ': number' : ''}) => new Promise((resolve) => setTimeout(resolve, ms))`,
    `async function helped(action${isTyped ? ': () => Promise<unknown>' : ''}) {`,
    '  await pause(1)',
    '  return await action()',
    '}',
    // Types that a compiler removes move the lines of what follows.
    ...(isTyped ? ['interface Unused {', '  one: string', '  two: string', '}', 'export type Used = Unused'] : []),
  ]
  for (const [part, file] of files.entries()) writeFileSync(join(work, file), [...head, ...parts[part], ''].join('\n'))
  const config = runner.config?.(work)
  return {
    files,
    config,
    planted: places.map(({ part, start, end, ...place }) => ({
      ...place,
      test: { file: files[part], from: head.length + start + 1, to: head.length + end },
    })),
  }
}

function clientSource(isTyped, clients) {
  const path = isTyped ? 'path: string' : 'path'
  const uses = (name, line) => (clients.includes(name) ? [line] : [])
  return [
    "import http from 'node:http'",
    "import axios from 'axios'",
    ...uses('got', "import got from 'got'"),
    ...uses('nodeFetch', "import nodeFetch from 'node-fetch'"),
    "import { fetch as undiciFetch, request as undiciRequest } from 'undici'",
    ...(isTyped
      ? [
          'interface Settings {',
          '  base: string',
          '}',
          'const settings: Settings = { base: String(process.env.PETSTORE_BASE_URL) }',
        ]
      : ['const settings = { base: process.env.PETSTORE_BASE_URL }']),
    "const headers = { Authorization: 'Bearer ' + process.env.PETSTORE_API_KEY }",
    `const to = (${path}) => \`\${settings.base}\${path}\``,
    'export const clients = {',
    `  async fetch(${path}) {`,
    '    const response = await fetch(to(path), { headers }) // call fetch',
    '    await response.text()',
    '  },',
    `  async axios(${path}) {`,
    '    await axios.get(to(path), { headers, validateStatus: () => true }) // call axios',
    '  },',
    ...uses(
      'got',
      `  async got(${path}) {\n    await got(to(path), { headers, throwHttpErrors: false, retry: { limit: 0 } }) // call got\n  },`,
    ).flatMap((each) => each.split('\n')),
    ...uses(
      'nodeFetch',
      `  async nodeFetch(${path}) {\n    await nodeFetch(to(path), { headers }) // call nodeFetch\n  },`,
    ).flatMap((each) => each.split('\n')),
    `  async undiciRequest(${path}) {`,
    '    const { body } = await undiciRequest(to(path), { headers }) // call undiciRequest',
    '    await body.text()',
    '  },',
    `  async undiciFetch(${path}) {`,
    '    const response = await undiciFetch(to(path), { headers }) // call undiciFetch',
    '    await response.text()',
    '  },',
    `  async httpGet(${path}) {`,
    '    await new Promise((resolve, reject) => {',
    "      http.get(to(path), { headers }, (response) => response.resume().on('end', resolve)).on('error', reject) // call httpGet",
    '    })',
    '  },',
    `  async httpRequest(${path}) {`,
    '    await new Promise((resolve, reject) => {',
    "      const request = http.request(to(path), { method: 'POST', headers }) // call httpRequest",
    "      request.on('response', (response) => response.resume().on('end', resolve)).on('error', reject)",
    "      request.end('{}')",
    '    })',
    '  },',
    ...(clients.includes('playwright')
      ? [
          `  async playwright(${path}, request: import('@playwright/test').APIRequestContext) {`,
          '    await request.get(to(path), { headers }) // call playwright',
          '  },',
        ]
      : []),
    '}',
    '',
  ]
}

function jestConfig(work) {
  writeFileSync(
    join(work, 'jest.config.json'),
    JSON.stringify({
      transform: {
        '\\.[jt]sx?$': [
          'babel-jest',
          { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] },
        ],
      },
    }),
  )
  return 'jest.config.json'
}

function vitestConfig(work) {
  writeFileSync(
    join(work, 'vitest.config.mjs'),
    'export default { root: import.meta.dirname, test: { watch: false } }\n',
  )
  return 'vitest.config.mjs'
}

function playwrightConfig(work) {
  writeFileSync(
    join(work, 'playwright.config.ts'),
    "export default { testDir: '.', outputDir: './results', fullyParallel: true, workers: 2, reporter: 'line' }\n",
  )
  return 'playwright.config.ts'
}
