/** A consumer: sends the requests in its JSON argument one after another, without normalizing them. */
import { request } from 'node:http'

/** @type {{ method?: string, base?: string, path: string, headers?: Record<string, string | null>, body?: string }[]} */
const requests = JSON.parse(process.argv[2] ?? '[]')

for (const { method = 'GET', base = 'PETSTORE_BASE_URL', path, headers = {}, body } of requests) {
  const { hostname, port, pathname } = new URL(process.env[base] ?? '')
  const own = { Authorization: `Bearer ${process.env['PETSTORE_API_KEY']}` }
  if (body !== undefined) own['Content-Type'] = 'application/json'
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== null)
  await new Promise((resolve, reject) => {
    // Not as a URL, which would be normalized.
    request({ hostname, port, method, path: pathname.replace(/\/$/, '') + path, headers: Object.fromEntries(all) })
      .on('error', reject)
      .on('response', (response) => response.on('end', resolve).resume())
      .end(body)
  })
}
