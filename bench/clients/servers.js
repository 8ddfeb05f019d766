/** The servers that programs run against: how each is started, and where it serves a server of the document. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { servers as documentServers } from '../documents/servers.js'
import { workFolder } from '../work-folder.js'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const { ours, prism } = documentServers

export const servers = {
  ours: {
    ...ours,
    command: (task) => {
      const { args } = ours.command(task)
      const added = ['overlay', 'overrides'].flatMap((name) =>
        task[name] === undefined ? [] : [`--${name}`, task[name]],
      )
      return { args: (port) => [...args(port), ...added] }
    },
  },
  /** The sandbox with every operation forced to answer by example: what passes here has a check that is too weak. */
  examples: {
    ...ours,
    title: 'petstore-sandbox, by example only',
    command: (task) => {
      const file = join(workFolder(), 'examples.json')
      writeFileSync(file, JSON.stringify(forceExamples(task.document)))
      return ours.command({ ...task, file })
    },
  },
  prism,
}

function forceExamples(document) {
  for (const item of Object.values(document.paths ?? {})) {
    for (const method of methods) if (item[method]) item[method]['x-sandbox-effect'] = 'example'
  }
  return document
}

/**
 * @param baseOf returns the path at which a server object of the document is served
 * @returns a function from the address of a documented server to the one where it is reached, without a slash at the end
 */
export function createAddress({ origin, document, operations, baseOf }) {
  const written = [...(document.servers ?? []), ...operations.map(({ server }) => server)].filter(Boolean)
  const documented = written.map((server) => ({ server, url: toUrl(server) }))
  return (wanted) => {
    if (wanted === undefined) return `${origin}${baseOf(written[0])}`.replace(/\/+$/, '')
    const url = new URL(wanted, 'http://sandbox.invalid')
    const path = url.pathname.replace(/\/+$/, '')
    const isAbove = ({ url: each }) => each.host === url.host && `${path}/`.startsWith(`${each.path}/`)
    const [found] = documented.filter(isAbove).sort((one, other) => other.url.path.length - one.url.path.length)
    if (found === undefined) return `${origin}${path}`
    return `${origin}${baseOf(found.server)}${path.slice(found.url.path.length)}`.replace(/\/+$/, '')
  }
}

function toUrl({ url = '/', variables = {} }) {
  const complete = url.replace(/\{([^{}]*)\}/g, (whole, name) => variables[name]?.default ?? whole)
  try {
    const { host, pathname } = new URL(complete, 'http://sandbox.invalid')
    return { host, path: pathname.replace(/\/+$/, '') }
  } catch {
    return { host: '', path: complete }
  }
}
