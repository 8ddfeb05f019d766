/** Clients of the replicas, which record what they send and get. */
import { Agent, request as send } from 'node:http'

const worldCount = 6
/** Ids and entity tags of each world that requests refer to. */
const remembered = 40

/**
 * Sends requests from several clients to several replicas.
 * @param ports of the replicas
 * @param calls how many requests to send
 * @param random returns a number from 0 to 1
 * @param onCount called after each answer with their number
 */
export async function runClients({ ports, clients, calls, random, onCount }) {
  const agents = ports.map(() => new Agent({ keepAlive: true }))
  const requests = []
  const removals = []
  let moment = 0
  let answered = 0
  const worlds = Array.from({ length: worldCount }, (_, index) => ({
    name: `sandbox-${index}`,
    customers: [1, 2, 3],
    orders: [0, 1, 2, 3].map((each) => `00000000-0000-4000-8000-00000000000${each}`),
    etags: [],
    sent: [],
  }))
  const pick = (values) => values[Math.floor(random() * values.length)]

  await Promise.all(Array.from({ length: clients }, client))
  // What is left at the end.
  for (const world of worlds)
    for (const path of ['/customers?limit=50', '/orders?limit=50'])
      await sendOne(world, 0, () => ({ method: 'GET', path }))
  for (const agent of agents) agent.destroy()
  return { requests, removals }

  async function client() {
    while (requests.length < calls) {
      const world = pick(worlds)
      const replica = Math.floor(random() * ports.length)
      if (random() < 0.001) await removeWorld(world, replica)
      else await sendOne(world, replica)
      onCount(++answered)
    }
  }

  async function removeWorld(world, replica) {
    const removal = { world: world.name, begin: ++moment, end: Number.MAX_SAFE_INTEGER, isDone: false }
    removals.push(removal)
    const answer = await call(replica, { method: 'DELETE', path: `/_world/${world.name}`, headers: {} })
    removal.isDone = answer?.status === 204
    if (removal.isDone) removal.end = ++moment
  }

  async function sendOne(world, replica, toNext = toRequest) {
    const id = `r${requests.length}`
    const { method, path, headers = {}, body } = toNext(world, id)
    const sent = {
      id,
      world: world.name,
      key: world.name,
      begin: ++moment,
      end: undefined,
      method,
      path: `/v1${path}`,
      headers: {
        ...headers,
        authorization: `Bearer ${world.name}`,
        'x-request': id,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      answer: undefined,
      trace: undefined,
    }
    requests.push(sent)
    const answer = await call(replica, sent)
    sent.end = ++moment
    if (!answer || answer.status === 503) {
      // The replica may be down.
      await new Promise((resolve) => setTimeout(resolve, 20))
      return
    }
    sent.trace = toTrace(answer.headers['x-trace'])
    sent.answer = answer
    if (!sent.trace) return
    remember(world, sent, answer)
  }

  function toRequest(world, id) {
    const chance = random()
    const customer = pick(world.customers)
    const order = pick(world.orders)
    const tier = pick(['basic', 'gold'])
    const status = pick(['open', 'paid', 'sent'])
    if (chance < 0.08) return { method: 'GET', path: `/customers?limit=20&offset=${Math.floor(random() * 3) * 20}` }
    if (chance < 0.12) return { method: 'GET', path: `/customers?tier=${tier}` }
    if (chance < 0.18) return { method: 'GET', path: `/orders?limit=30&status=${status}` }
    if (chance < 0.24) return { method: 'GET', path: '/orders?limit=50' }
    if (chance < 0.3) return { method: 'GET', path: `/customers/${customer}/orders` }
    if (chance < 0.4) return { method: 'GET', path: `/customers/${customer}` }
    if (chance < 0.5) return { method: 'GET', path: `/orders/${order}` }
    if (chance < 0.6)
      return { method: 'POST', path: '/customers', ...once(world, id, { name: `Customer ${id}`, tier }) }
    if (chance < 0.73) {
      const body = { customerId: customer, amount: 1 + Math.floor(random() * 500), notes: [id] }
      return { method: 'POST', path: '/orders', ...once(world, id, body) }
    }
    if (chance < 0.78)
      return { method: 'PUT', path: `/customers/${customer}`, body: { name: `Renamed by ${id}`, tier } }
    if (chance < 0.9) {
      const etag = pick(world.etags)
      const [path, headers] =
        etag && random() < 0.4 ? [etag.path, { 'if-match': etag.value }] : [`/orders/${order}`, {}]
      return { method: 'PATCH', path, headers, body: random() < 0.5 ? { status } : { notes: [id, status] } }
    }
    if (chance < 0.94) return { method: 'DELETE', path: `/customers/${customer}` }
    return { method: 'DELETE', path: `/orders/${order}` }
  }

  /** Some requests have an idempotency key, and some of these are sent again. */
  function once(world, id, body) {
    if (random() > 0.3) return { body }
    const again = random() < 0.5 ? pick(world.sent) : undefined
    if (again && 'customerId' in again.body === 'customerId' in body) return again
    const first = { headers: { 'idempotency-key': `key-${id}` }, body }
    keepLast(world.sent, first)
    return first
  }

  function remember(world, { path }, { status, headers, body }) {
    if (status === 201) {
      const { id } = JSON.parse(body)
      keepLast(typeof id === 'number' ? world.customers : world.orders, id)
    }
    if (headers.etag && /^\/v1\/orders\/./.test(path))
      keepLast(world.etags, { path: path.slice(3), value: headers.etag })
  }

  function call(replica, { method, path, headers, body }) {
    return new Promise((resolve) => {
      const options = { host: '127.0.0.1', port: ports[replica], agent: agents[replica], method, path, headers }
      const sent = send(options, (response) => {
        const parts = []
        response.on('data', (part) => parts.push(part))
        response.on('error', () => resolve(undefined))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        )
      })
      sent.setTimeout(20_000, () => sent.destroy())
      sent.on('error', () => resolve(undefined))
      sent.end(body)
    })
  }
}

function keepLast(values, value) {
  values.push(value)
  if (values.length > remembered) values.shift()
}

function toTrace(text) {
  if (text === undefined) return undefined
  const [incarnation, sequence, index, seed, now] = text.split(' ')
  return {
    incarnation,
    sequence: Number(sequence),
    index: index === '-' ? undefined : Number(index),
    run: { seed: Number(seed), now: Number(now) },
  }
}
