/** The servers that are measured: how each is started with a document, and where it serves an operation. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { node24 } from '../servers/node-24.js'
import { workFolder } from '../work-folder.js'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const ownFolder = here('../..')
const explainLimitMs = 60_000
const megabyte = 1024 * 1024

/** The program of this checkout, or of another, built one. */
function programIn(folder = ownFolder) {
  return join(folder, 'bin/petstore-sandbox.js')
}

export const servers = {
  ours: {
    title: 'petstore-sandbox',
    version: versionOf('../../package.json'),
    command: ({ file, against }) => ({
      args: (port) => [programIn(against), '--port', String(port), '--log', 'none', '--spec', file],
    }),
    readyLine: ' is ready on ',
    toBases: basesOfBanner,
    explain,
  },
  prism: {
    title: 'Prism CLI',
    version: versionOf('../node_modules/@stoplight/prism-cli/package.json'),
    command: async ({ file }) => ({
      node: await node24(),
      args: (port) => [
        here('../node_modules/@stoplight/prism-cli/dist/index.js'),
        ...['mock', '--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'silent', file],
      ],
    }),
    toBases: () => () => '',
  },
  scalar: {
    title: '@scalar/mock-server',
    version: versionOf('../node_modules/@scalar/mock-server/package.json'),
    command: async ({ document }) => {
      const json = join(workFolder(), 'document.json')
      writeFileSync(json, JSON.stringify(document))
      return { node: await node24(), args: (port) => [here('../servers/scalar.js'), String(port), json] }
    },
    toBases: () => () => '',
  },
}

/**
 * The banner has a line for each server of the document, in the order in which it names them.
 * @returns a function from the server of an operation to the path at which it is
 */
function basesOfBanner({ document, operations, output }) {
  const mounts = [...output.matchAll(/^ {2}\S.*? {2}https?:\/\/[^/\s]+(\/\S*)?$/gm)].map(([, path]) => path ?? '')
  const named = [...(document.servers ?? []), ...operations.map(({ server }) => server)]
  const addresses = [...new Set(named.filter((each) => each !== undefined).map(toAddress))]
  return (server) => {
    const position = server === undefined ? 0 : addresses.indexOf(toAddress(server))
    return mounts[position] ?? mounts[0] ?? ''
  }
}

/** Host and path, with the defaults of its variables. */
function toAddress({ url = '/', variables = {} }) {
  const complete = String(url).replace(/\{([^{}]*)\}/g, (whole, name) => variables[name]?.default ?? whole)
  try {
    const { host, pathname } = new URL(complete, 'http://sandbox.invalid/')
    return `${host}${pathname.replace(/\/+$/, '')}`
  } catch {
    return complete
  }
}

/** @returns effects and paths of collections by `METHOD path`, and the number of notes */
async function explain(file, against) {
  const options = { timeout: explainLimitMs, maxBuffer: 256 * megabyte, killSignal: 'SIGKILL' }
  const args = [programIn(against), 'explain', '--json', '--spec', file]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  const { operations, notes } = JSON.parse(stdout)
  const effects = new Map(operations.map(({ method, path, effect }) => [`${method} ${path}`, effect]))
  const collections = new Map(operations.map(({ method, path, collection }) => [`${method} ${path}`, collection]))
  return { effects, collections, notes: notes.length }
}

function versionOf(file) {
  return JSON.parse(readFileSync(here(file), 'utf8')).version
}
