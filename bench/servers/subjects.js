/** The subjects: how each is started, which of our requests it supports, and what it does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workFolder } from '../work-folder.js'
import { writeDatabase, writeDocument, writeMockoonEnvironment } from './documents.js'
import { node24 } from './node-24.js'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const installed = (file) => here(`../node_modules/${file}`)
const key = { Authorization: 'Bearer sandbox' }
const json = { ...key, 'Content-Type': 'application/json' }

/** The requests, and the statuses that count as success. Peers have their own variants, below. */
export const rows = {
  list: { title: 'list (20 of 120)', statuses: [200] },
  filtered: { title: 'filtered list', statuses: [200] },
  read: { title: 'read', statuses: [200] },
  unauthorized: { title: 'refused: 401', statuses: [401] },
  invalid: { title: 'refused: 400', statuses: [400, 422] },
  missing: { title: 'refused: 404', statuses: [404] },
  // The last, because it makes the collection grow.
  create: { title: 'create', statuses: [201] },
}

/** Our requests below a base. */
function toRequests(base, { list = '', filtered = '?status=available' } = {}) {
  const get = (path, headers = key) => ({ method: 'GET', path: `${base}${path}`, headers })
  const post = (body) => ({ method: 'POST', path: `${base}/pets`, headers: json, body: JSON.stringify(body) })
  return {
    list: get(`/pets${list}`),
    filtered: get(`/pets${filtered}`),
    read: get('/pets/100'),
    unauthorized: get('/pets', {}),
    invalid: post({ categoryId: '3', status: 'gone' }),
    missing: get('/pets/999999'),
    create: post({ name: 'Rex', categoryId: 3, status: 'available' }),
  }
}

export const ours = {
  id: 'ours',
  title: 'petstore-sandbox',
  note: 'its defaults, journal on, --log json to a file',
  command: (port) => ({ args: [here('../../bin/petstore-sandbox.js'), '--port', String(port), '--log', 'json'] }),
  requests: toRequests('/v1'),
}

/** Ours, built in another checkout. */
export function oursIn(id, folder) {
  const command = (port) => {
    const [, ...options] = ours.command(port).args
    return { args: [join(folder, 'bin/petstore-sandbox.js'), ...options] }
  }
  return { ...ours, id, command }
}

/** Ours with other options. */
export function oursWith(id, options) {
  const command = (port) => {
    const { args } = ours.command(port)
    return { args: [...args, ...options] }
  }
  return { ...ours, id, command }
}

/** `node:http` with the constant answer of ours, and optionally its log line. */
export function bareFor(id, answer) {
  const file = join(workFolder(), `${id}.json`)
  writeFileSync(file, JSON.stringify(answer))
  return {
    id,
    title: 'bare node:http',
    command: (port) => ({ args: [here('bare.js'), String(port), file] }),
    requests: toRequests('/v1'),
  }
}

/** The peers. `does` lists the supported parts of a service: state, and checks of keys and requests. */
const table = [
  {
    id: 'openapi-backend',
    title: 'openapi-backend on Fastify',
    package: 'openapi-backend',
    beside: ['fastify'],
    does: ['state', 'keys', 'validation'],
    note: 'hand-written handlers on an array',
    command: (port) => ({
      args: [here('openapi-backend.js'), String(port), writeDocument(), writeDatabase('openapi-backend')],
    }),
    requests: toRequests('/v1'),
  },
  {
    id: 'prism',
    title: 'Prism CLI',
    package: '@stoplight/prism-cli',
    does: ['keys', 'validation'],
    note: 'answers with the examples of the document; 404 for an unknown path',
    command: async (port) => ({
      node: await node24(),
      args: [
        installed('@stoplight/prism-cli/dist/index.js'),
        ...['mock', '--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'silent', writeDocument()],
      ],
    }),
    requests: { ...toRequests(''), missing: { method: 'GET', path: '/nothing', headers: key } },
  },
  {
    id: 'scalar',
    title: '@scalar/mock-server',
    package: '@scalar/mock-server',
    beside: ['@hono/node-server'],
    does: ['keys', 'validation'],
    note: 'answers with the examples of the document; 404 for an unknown path',
    command: async (port) => ({ node: await node24(), args: [here('scalar.js'), String(port), writeDocument()] }),
    requests: { ...toRequests(''), missing: { method: 'GET', path: '/nothing', headers: key } },
  },
  {
    id: 'mockoon',
    title: '@mockoon/cli',
    package: '@mockoon/cli',
    does: ['state'],
    note: 'a CRUD route on a data bucket',
    command: (port) => ({
      args: [
        installed('@mockoon/cli/bin/run.js'),
        ...['start', '--data', writeMockoonEnvironment(port), '--port', String(port), '--hostname', '127.0.0.1'],
        ...['--disable-log-to-file', '--disable-admin-api', '--repair', '--max-transaction-logs', '1'],
      ],
    }),
    requests: toRequests('/v1', { list: '?limit=20', filtered: '?limit=20&status_eq=available' }),
  },
  {
    id: 'json-server-0',
    title: 'json-server',
    package: 'json-server-0',
    does: ['state'],
    note: 'writes its file on each creation',
    command: (port) => ({
      args: [
        installed('json-server-0/lib/cli/bin.js'),
        ...['--quiet', '--host', '127.0.0.1', '--port', String(port), writeDatabase(`json-server-0-${port}`)],
      ],
    }),
    requests: toRequests('', { list: '?_limit=20', filtered: '?_limit=20&status=available' }),
  },
  {
    id: 'json-server-1',
    title: 'json-server',
    package: 'json-server-1',
    does: ['state'],
    note: 'writes its file on each creation',
    command: (port) => ({
      args: [
        installed('json-server-1/lib/bin.js'),
        ...['--host', '127.0.0.1', '--port', String(port), writeDatabase(`json-server-1-${port}`)],
      ],
    }),
    requests: toRequests('', { list: '?_page=1&_per_page=20', filtered: '?_page=1&_per_page=20&status=available' }),
  },
]

/** The peers with the versions that are installed in bench/. */
export const peers = table.map((peer) => ({
  ...peer,
  title: `${peer.title} ${versionOf(peer.package)}`,
  note: `${peer.does.join(', ')}; ${peer.note}`,
}))

function versionOf(name) {
  try {
    return JSON.parse(readFileSync(installed(`${name}/package.json`), 'utf8')).version
  } catch {
    return '(not installed)'
  }
}
