/** A consumer: sends the requests that its argument lists as JSON, one after the other. */

/** @type {{ method?: string, base?: string, path: string, headers?: Record<string, string | null>, body?: string }[]} */
const requests = JSON.parse(process.argv[2] ?? '[]')

for (const { method, base = 'PETSTORE_BASE_URL', path, headers = {}, body } of requests) {
  const own = { Authorization: `Bearer ${process.env['PETSTORE_API_KEY']}` }
  if (body !== undefined) own['Content-Type'] = 'application/json'
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== null)
  const response = await fetch(process.env[base] + path, { method, headers: Object.fromEntries(all), body })
  await response.arrayBuffer()
}
