/** Records real servers: starts each twice from an empty folder, sends its requests, and keeps the answers and its document. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, launch } from '../servers/launch.js'
import { workFolder } from '../work-folder.js'
import { WrongUse } from '../wrong-use.js'
import { toSegment } from './pointers.js'
import { replay } from './replay.js'
import { homebridge } from './servers/homebridge.js'
import { opencode } from './servers/opencode.js'

const servers = { homebridge, opencode }
const packages = fileURLToPath(new URL('servers/', import.meta.url))

/** @param folder gets a folder for each server @param only names of servers, with commas */
export async function record(folder, { only, say }) {
  const names = only?.split(',') ?? Object.keys(servers)
  const unknown = names.find((name) => !Object.hasOwn(servers, name))
  if (unknown !== undefined) {
    throw new WrongUse(`--only takes names of servers: ${Object.keys(servers).join(', ')} (got "${unknown}")`)
  }
  install(say)
  const rows = []
  for (const name of names) {
    say(`recording ${name}`)
    const { version, statuses } = await recordServer(name, join(folder, name))
    const errors = statuses.filter((status) => status >= 400).length
    rows.push([name, version, statuses.length, errors])
  }
  return { tables: [{ title: `Recorded in ${folder}`, head: ['server', 'version', 'steps', 'errors'], rows }] }
}

/** Scripts of packages do not run: they would load more than the registry has. */
function install(say) {
  if (existsSync(join(packages, 'node_modules'))) return
  say('installing the servers')
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--prefix', packages])
  if (status !== 0) throw new Error(`"npm ci --prefix ${packages}" failed: ${stderr}`)
}

/** @returns the folder of a package, and its version @throws Error if it is not installed with the version of package.json */
function findInstalled(name) {
  const folder = join(packages, 'node_modules', name)
  const manifest = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
  const { dependencies, optionalDependencies } = manifest(join(packages, 'package.json'))
  const pinned = { ...dependencies, ...optionalDependencies }[name]
  const { version } = manifest(join(folder, 'package.json'))
  if (pinned === undefined) throw new Error(`${name}: there is no such server for this machine`)
  if (version === pinned) return { installed: folder, version }
  throw new Error(`${name} ${pinned} is not installed; run "npm ci --ignore-scripts --prefix ${packages}"`)
}

async function recordServer(name, folder) {
  const server = servers[name]
  const { installed, version } = findInstalled(server.package)
  const { credentials, requests } = writeTemplates(server)
  const plan = { ids: {}, credentials, from: Date.now(), exchanges: requests.map(toExchange) }
  const [first, second] = [await recordOnce(name, plan, installed), await recordOnce(name, plan, installed)]
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(first.document, undefined, 2)}\n`)
  const { exchanges } = plan
  const about = { server: name, version, prefix: '', credentials }
  const recorded = first.answers.map(({ request, ...answer }, index) => ({
    ...exchanges[index],
    ...request,
    ...answer,
  }))
  write(join(folder, 'exchanges.json'), { ...about, ...withoutSecrets(first, credentials) }, recorded)
  const again = second.answers.map(({ request, ...answer }) => answer)
  write(join(folder, 'again.json'), { server: name, ...withoutSecrets(second, credentials) }, again)
  return { version, statuses: recorded.map(({ status }) => status) }
}

/** In a recording, an earlier value is written in another way than in the requests of servers. */
function writeTemplates({ credentials, requests }) {
  return JSON.parse(JSON.stringify({ credentials, requests }).replace(/<(\w+)>/g, (_, name) => `$\{${name}}`))
}

/** @param request `label`, `method`, `path`, and what is not usual */
function toExchange(request, n) {
  const { query = null, body = null, phase = 'one', sent } = request
  const usual = request.body === undefined ? {} : { 'content-type': 'application/json' }
  const uses = Object.fromEntries(findTemplates({ path: request.path, query, body }))
  return { n, ...request, phase, query, body, sent: sent ?? usual, uses }
}

function findTemplates(value, pointer = '') {
  if (typeof value === 'string') return /\$\{/.test(value) ? [[pointer, value]] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => findTemplates(inner, `${pointer}/${toSegment(key)}`))
}

/** @returns the answers and the document of a fresh server */
async function recordOnce(name, plan, installed) {
  const server = servers[name]
  const folder = mkdtempSync(join(workFolder(), `${name}-`))
  const running = await launch({
    id: name,
    command: (port) => server.command({ installed, folder, port }),
    ready: { path: server.document },
    isPinned: false,
    pollMs: 100,
  })
  try {
    const document = JSON.parse((await ask(running.port, { method: 'GET', path: server.document })).body)
    const recorded = await replay(plan, running.port)
    check(plan, recorded)
    return { ...recorded, document }
  } finally {
    await running.close()
  }
}

/** A request without an answer, or without a value that later ones use, is a fault of the plan. */
function check({ exchanges }, { ids, answers }) {
  for (const [index, { label, method, path, gives = {} }] of exchanges.entries()) {
    const { status, res } = answers[index]
    const missing = Object.keys(gives).find((each) => ids[each] === undefined)
    const isFaulty = status === 0 || missing !== undefined
    if (isFaulty) throw new Error(`${label}: ${method} ${path}: ${status} without ${missing}: ${JSON.stringify(res)}`)
  }
}

/** A replay must not send the credentials of the real server. */
function withoutSecrets({ from, to, ids }, credentials) {
  const used = JSON.stringify(credentials)
  const kept = Object.entries(ids).filter(([name]) => !used.includes(`\${${name}}`))
  return { from, to, ids: Object.fromEntries(kept) }
}

/** One exchange is one line. */
function write(file, about, exchanges) {
  const start = JSON.stringify(about).slice(0, -1)
  writeFileSync(file, `${start},"exchanges":[\n${exchanges.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`)
}
