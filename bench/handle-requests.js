/** What `sandbox.handle` is asked where it is measured alone, for whichever build. */
const key = 'Bearer sandbox'
const encode = (value) => new TextEncoder().encode(JSON.stringify(value))
export const requests = {
  list: { title: 'list', path: '/pets' },
  filtered: { title: 'filtered list', path: '/pets', query: 'status=available' },
  read: { title: 'read', path: '/pets/100' },
  create: {
    title: 'create',
    method: 'POST',
    path: '/pets',
    body: encode({ name: 'Rex', categoryId: 3, status: 'available' }),
  },
  unauthorized: { title: 'refused: 401', path: '/pets', key: undefined },
  invalid: { title: 'refused: 400', method: 'POST', path: '/pets', body: encode({ categoryId: '3', status: 'gone' }) },
  missing: { title: 'refused: 404', path: '/pets/999999' },
}

/** As the HTTP server makes it: an object of its own for each request. */
export function toRequest({ server, mount, method = 'GET', path, query = '', body, ...rest }) {
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

/** Microseconds of processor time of a call, on average. The requests are made before, and not paid for. */
export async function timeOfCall(handle, create, calls) {
  const made = Array.from({ length: calls }, create)
  // Only where node was started with --expose-gc.
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  for (const request of made) await handle(request)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
