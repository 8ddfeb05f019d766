/** Sends requests one after another to the addresses of `run`, without normalizing them. */
import { Agent, request } from 'node:http'

export interface Sent {
  method?: string
  /** Environment variable with the address. @default PETSTORE_BASE_URL */
  base?: string
  path: string
  /** Added to the key and the content type of a body. Null removes one of these. */
  headers?: Record<string, string | null>
  body?: string
}

/** @param variables the environment of the consumer */
export async function sendAll(requests: readonly Sent[], variables: Record<string, string>): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  try {
    for (const sent of requests) await send(sent, variables, agent)
  } finally {
    agent.destroy()
  }
}

function send(sent: Sent, variables: Record<string, string>, agent: Agent): Promise<void> {
  const { method = 'GET', base = 'PETSTORE_BASE_URL', path, headers = {}, body } = sent
  const { hostname, port, pathname } = new URL(variables[base] ?? '')
  const key = { Authorization: `Bearer ${variables['PETSTORE_API_KEY']}` }
  const own = body === undefined ? key : { ...key, 'Content-Type': 'application/json' }
  const all = Object.entries<string | null>({ ...own, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  )
  return new Promise((resolve, reject) => {
    // Not as a URL, which would be normalized.
    const target = { hostname, port, method, path: pathname.replace(/\/$/, '') + path }
    request({ ...target, agent, headers: Object.fromEntries(all) })
      .on('error', reject)
      .on('response', (response) => response.on('end', resolve).resume())
      .end(body)
  })
}
