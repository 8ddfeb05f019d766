/**
 * Measures `check` with two providers of other frameworks and databases, each with planted bugs: how many it finds, and what it
 * finds in a provider without one.
 *
 * - `npm run bench providers` measures both; `-- --only a` or `b` one of them. They need their packages: `npm install` in
 *   `bench/providers/a` and `b`; `a` also PostgreSQL (`start-db.sh`).
 * - `-- --workflows` measures the bugs that only a sequence of requests shows, by the Arazzo documents of the provider.
 * - `-- --list all` prints each bug.
 */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('providers/', import.meta.url))
const bin = fileURLToPath(new URL('../bin/petstore-sandbox.js', import.meta.url))
const providers = {
  a: {
    key: 'pwk_alpenpost_7f3c9a1e52d84b06',
    other: 'pwk_northline_c25e80b7a9134fd1',
    path: '',
    env: { DATABASE_URL: 'postgres://postgres@127.0.0.1:55437/postgres' },
  },
  b: { key: 'north-alice-5f0c1d7e', other: 'south-bob-9ab27e41', path: '/v1', env: {} },
}

export default async function benchProviders({ only, workflows = false, list, say = console.error } = {}) {
  for (const id of only === undefined ? Object.keys(providers) : [only]) {
    if (!Object.hasOwn(providers, id))
      throw new Error(`--only takes ${Object.keys(providers).join(', ')} (got "${only}")`)
    await measure(id, { workflows, list, say })
  }
}

async function measure(id, { workflows, list, say }) {
  const all = JSON.parse(readFileSync(join(folder, id, 'bugs.json'), 'utf8'))
  const bugs = all.filter((bug) => (bug.workflows !== undefined) === workflows)
  const known = new Map()
  const found = { error: 0, warning: 0 }
  for (const bug of bugs) {
    if (!known.has(bug.workflows)) {
      const clean = await check(id, '', bug.workflows)
      known.set(bug.workflows, new Set(clean.map((finding) => finding.id)))
      console.log(`provider ${id} without a bug: ${clean.length} findings`)
    }
    const findings = (await check(id, bug.id, bug.workflows)).filter((each) => !known.get(bug.workflows).has(each.id))
    const worst = ['error', 'warning'].find((severity) => findings.some((finding) => finding.severity === severity))
    if (worst) found[worst]++
    say(`${bug.id}: ${worst ?? 'not found'}`)
    if (list !== undefined)
      console.log(`${worst ?? '-'} ${bug.id} ${[...new Set(findings.map(({ rule }) => rule))].join(', ')}`)
  }
  console.log(`provider ${id}: ${found.error} of ${bugs.length} as errors, ${found.warning} more as warnings`)
}

async function check(id, bug, workflows) {
  const { key, other, path, env } = providers[id]
  const cwd = join(folder, id)
  const stdio = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd,
    stdio,
    env: { ...process.env, ...env, PORT: '0', BUG: bug },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const origin = await new Promise((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (data) => {
        output += data
        const [, url] = /listening on (http:\S+)/.exec(output) ?? []
        if (url) resolve(new URL(url).origin)
      })
      child.once('exit', () => reject(new Error(`the provider ${id} did not start: npm install in ${cwd}`)))
    })
    const more = workflows === undefined ? [] : ['--arazzo', join(cwd, 'workflows', workflows)]
    const args = [
      bin,
      'check',
      origin + path,
      '--spec',
      join(cwd, 'openapi.yaml'),
      '--api-key',
      key,
      '--other-api-key',
      other,
      '--report',
      'json',
    ]
    const options = { maxBuffer: 2 ** 28 }
    const { stdout } = await promisify(execFile)(process.execPath, [...args, ...more], options).catch((error) => error)
    return JSON.parse(stdout).findings
  } finally {
    child.kill()
    await ended
  }
}
