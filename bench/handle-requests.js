/** Requests for measuring `sandbox.handle` alone, in any build. */
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

/** Creates a new object for each request, as the HTTP server does. */
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

/** Returns the average processor time of a call in microseconds, without creating the requests. */
export async function timeOfCall(handle, create, calls) {
  const made = Array.from({ length: calls }, create)
  // Available only with --expose-gc.
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  for (const request of made) await handle(request)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
