/** A consumer: sends the requests that its argument lists as JSON, one after the other, as they are written. */
import { request } from 'node:http'

/** @type {{ method?: string, base?: string, path: string, headers?: Record<string, string | null>, body?: string }[]} */
const requests = JSON.parse(process.argv[2] ?? '[]')

for (const { method = 'GET', base = 'PETSTORE_BASE_URL', path, headers = {}, body } of requests) {
  const { hostname, port, pathname } = new URL(process.env[base] ?? '')
  const own = { Authorization: `Bearer ${process.env['PETSTORE_API_KEY']}` }
  if (body !== undefined) own['Content-Type'] = 'application/json'
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== null)
  await new Promise((resolve, reject) => {
    // Not by an address: that would be tidied up.
    request({ hostname, port, method, path: pathname.replace(/\/$/, '') + path, headers: Object.fromEntries(all) })
      .on('error', reject)
      .on('response', (response) => response.on('end', resolve).resume())
      .end(body)
  })
}
