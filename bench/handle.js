/** `sandbox.handle` alone: processor time of a request without any input or output. */
import { createSandbox } from '../dist/index.js'
import { asides, atMost, toFigure } from './bars.js'
import { median } from './median.js'

const calls = 20_000
const key = 'Bearer sandbox'
const encode = (value) => new TextEncoder().encode(JSON.stringify(value))
const requests = {
  list: { path: '/pets' },
  'filtered list': { path: '/pets', query: 'status=available' },
  read: { path: '/pets/100' },
  create: { method: 'POST', path: '/pets', body: encode({ name: 'Rex', categoryId: 3, status: 'available' }) },
  'refused: 401': { path: '/pets', key: undefined },
  'refused: 400': { method: 'POST', path: '/pets', body: encode({ categoryId: '3', status: 'gone' }) },
  'refused: 404': { path: '/pets/999999' },
}

export default async function benchHandle({ rounds, say }) {
  const sandbox = createSandbox()
  const { server, mount } = sandbox.locator.byMount('/v1/pets')
  const times = Object.fromEntries(Object.keys(requests).map((name) => [name, []]))
  for (let round = 0; round <= 3 * rounds; round++) {
    say(`handle: round ${round} of ${3 * rounds}`)
    for (const [name, request] of Object.entries(requests)) {
      sandbox.reset()
      const time = await processorTime(sandbox.handle, () => toRequest({ server, mount, ...request }))
      // The first round warms up.
      if (round > 0) times[name].push(time)
    }
  }
  const rows = Object.entries(times).map(([name, values]) => [
    name,
    toFigure(median(values)),
    toFigure(Math.min(...values)),
  ])
  const bars = Object.entries(times).map(([name, values]) =>
    name === 'list'
      ? atMost('sandbox.handle alone: list', median(values), 4, ' µs')
      : asides(`sandbox.handle alone: ${name}`, `${toFigure(median(values))} µs`),
  )
  const title = 'sandbox.handle alone, µs of processor time'
  return { tables: [{ title, head: ['', 'median', 'least'], rows }], bars, options: { rounds }, data: times }
}

/** As the HTTP server makes it: an object of its own for each request. */
function toRequest({ server, mount, method = 'GET', path, query = '', body, ...rest }) {
  const headers = { host: '127.0.0.1:4010' }
  const authorization = 'key' in rest ? rest.key : key
  if (authorization) headers.authorization = authorization
  if (body) headers['content-type'] = 'application/json'
  const raw = Object.entries(headers).flat()
  return {
    method,
    server,
    mount,
    path,
    query,
    header: (name) => headers[name],
    headers: () => raw,
    body: async () => body,
  }
}

async function processorTime(handle, create) {
  const made = Array.from({ length: calls }, create)
  const before = process.cpuUsage()
  for (const request of made) await handle(request)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
