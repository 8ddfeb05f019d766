/**
 * The tools that judge the planted bugs, each set up as its documentation recommends. `judge` returns a set of named
 * complaints. A bug is found if it causes a complaint that the correct program does not get.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { readDocument, readDocumentForDredd } from './documents.js'
import { key } from './provider.js'

const bench = fileURLToPath(new URL('..', import.meta.url))
const bin = join(bench, '../bin/petstore-sandbox.js')
const consumer = join(bench, 'planted/consumer.js')
const { dependencies } = JSON.parse(await readFile(join(bench, 'package.json'), 'utf8'))

export const providerTools = {
  check: {
    title: 'check',
    judge: (url) => findIn([bin, 'check', url, '--api-key', key, '--report', 'json']),
  },
  dredd: {
    title: `Dredd ${dependencies.dredd}`,
    isMissing: () => isMissing('dredd'),
    judge: (url) => inFolder((folder) => judgeByDredd(url, folder)),
  },
  specmatic: {
    title: `Specmatic ${dependencies.specmatic}`,
    isMissing: () => isMissing('specmatic'),
    judge: (url) => inFolder((folder) => judgeBySpecmatic(url, folder, { documents400: false })),
  },
  'specmatic-400': {
    title: `Specmatic ${dependencies.specmatic}, listPets given a 400`,
    isMissing: () => isMissing('specmatic'),
    judge: (url) => inFolder((folder) => judgeBySpecmatic(url, folder, { documents400: true })),
  },
}

export const consumerTools = {
  run: {
    title: 'run',
    judge: ({ id, at }) => {
      const clock = at === undefined ? [] : ['--at', at]
      return findIn([bin, 'run', ...clock, '--report', 'json', '--', process.execPath, consumer, id])
    },
  },
}

async function findIn(args) {
  const { code, stdout, stderr } = await execute(process.execPath, args)
  if (code > 1) throw new Error(`petstore-sandbox ${args.slice(1).join(' ')} exited with ${code}: ${stderr}`)
  const { findings } = JSON.parse(stdout)
  return new Set(findings.filter(({ severity }) => ['error', 'warning'].includes(severity)).map(({ id }) => id))
}

async function judgeByDredd(url, folder) {
  await writeFile(join(folder, 'petstore.yaml'), stringify(await readDocumentForDredd()))
  const options = [
    '--hookfiles',
    join(bench, 'planted/dredd-hooks.cjs'),
    '--reporter',
    'xunit',
    '--output',
    'tests.xml',
  ]
  const ended = await execute(process.execPath, [binOf('dredd'), 'petstore.yaml', url, ...options], {
    cwd: folder,
    env: { ...process.env, PLANTED_KEY: key },
  })
  return readFailures(join(folder, 'tests.xml'), ended)
}

/**
 * The document has no 400 for listPets, so Specmatic reports every refusal of a bad parameter as a failure. Users
 * would add one, as `documents400` does.
 */
async function judgeBySpecmatic(url, folder, { documents400 }) {
  const document = await readDocument()
  const { get, post } = document.paths['/pets']
  if (documents400) get.responses['400'] = post.responses['400']
  await writeFile(join(folder, 'petstore.yaml'), stringify(document, { aliasDuplicateObjects: false }))
  const config = { contracts: [{ provides: ['petstore.yaml'] }], test: { resiliencyTests: { enable: 'all' } } }
  await writeFile(join(folder, 'specmatic.yaml'), stringify({ version: 2, ...config }))
  await mkdir(join(folder, 'petstore_examples'))
  for (const [name, example] of Object.entries(createSpecmaticExamples(documents400))) {
    await writeFile(join(folder, 'petstore_examples', `${name}.json`), JSON.stringify(example))
  }
  const options = [`--testBaseURL=${url}`, '--junitReportDir=reports']
  const ended = await execute(process.execPath, [binOf('specmatic'), 'test', ...options], {
    cwd: folder,
    env: { ...process.env, bearerAuth: key },
  })
  return readFailures(join(folder, 'reports/TEST-junit-jupiter.xml'), ended)
}

/** An example for each documented response: Specmatic tests responses to bad requests only if they have examples. */
function createSpecmaticExamples(documents400) {
  const headers = { 'Content-Type': 'application/json' }
  const pet = { id: 1, name: 'Rex', categoryId: 3, status: 'sold' }
  const toExample = (request, status, body, bearer) => ({
    'http-request': { ...request, headers: { ...request.headers, Authorization: `Bearer ${bearer}` } },
    'http-response': { status, headers, body },
  })
  const answers = (request, status, body) => toExample(request, status, body, key)
  const refuses = (request, status, bearer = key) =>
    toExample(request, status, { code: 'some_code', message: 'What is wrong', status }, bearer)
  const list = { method: 'GET', path: '/pets' }
  const create = { method: 'POST', path: '/pets', headers, body: { name: 'Rex', categoryId: 3, status: 'sold' } }
  const get = { method: 'GET', path: '/pets/1' }
  return {
    list: answers({ ...list, query: { limit: '5', status: 'sold' } }, 200, [pet]),
    list401: refuses(list, 401, 'unknown'),
    ...(documents400 ? { list400: refuses({ ...list, query: { limit: '0' } }, 400) } : {}),
    create: answers(create, 201, pet),
    create400: refuses({ ...create, body: { categoryId: 3 } }, 400),
    create401: refuses(create, 401, 'unknown'),
    get: answers(get, 200, pet),
    get401: refuses(get, 401, 'unknown'),
    get404: refuses({ ...get, path: '/pets/999999' }, 404),
    orders401: refuses({ method: 'GET', path: '/store/orders' }, 401, 'unknown'),
  }
}

/** The names of the failing tests in a JUnit report. */
async function readFailures(path, { stdout, stderr }) {
  const report = await readFile(path, 'utf8').catch(() => '')
  const tests = report.match(/<testcase\b[^>]*?(?:\/>|>[\s\S]*?<\/testcase>)/g)
  if (tests === null) throw new Error(`Found no tests in ${path}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`)
  const failures = tests.filter((test) => /<(failure|error)\b/.test(test))
  return new Set(failures.map((test) => /\sname="([^"]*)"/.exec(test)[1]))
}

function isMissing(name) {
  return !existsSync(binOf(name))
}

function binOf(name) {
  return join(bench, 'node_modules/.bin', name)
}

async function inFolder(task) {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'))
  try {
    return await task(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function execute(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 180_000, maxBuffer: 2 ** 28, ...options }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({ code: error?.code ?? 0, stdout, stderr })
    })
  })
}
