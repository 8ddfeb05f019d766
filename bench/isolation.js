/**
 * Many workers on one server at the same time, each with a world of its own: they create, list, read, reset, copy, keep
 * and restore. What each one reads is compared with a model of its own world, so that a foreign write would be seen.
 *
 * - `npm run bench isolation` runs 64 workers with 10,000 calls each; `-- --workers 8 --calls 500` others.
 */
import { Agent, request } from 'node:http'
import { asides, atMost } from './bars.js'
import { launch } from './servers/launch.js'
import { ours } from './servers/subjects.js'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export default async function benchIsolation({ workers = 64, calls = 10_000, seed = 1, say }) {
  const server = await launch({ ...ours, ready: ours.requests.list })
  const wrong = []
  let done = 0
  const start = performance.now()
  try {
    const all = Array.from({ length: workers }, (_, index) =>
      work({
        server,
        index,
        calls,
        seed,
        wrong,
        count: () => ++done % 20_000 === 0 && say(`isolation: ${done} calls`),
      }),
    )
    await Promise.all(all)
  } finally {
    agent.destroy()
    await server.close()
  }
  const seconds = (performance.now() - start) / 1000
  const bars = [
    { id: 'isolation', ...atMost('reads that differ from the model', wrong.length, 0, '') },
    asides('calls a second', Math.round(done / seconds)),
  ]
  return { bars, hasFailed: wrong.length > 0, data: { workers, calls, done, wrong: wrong.slice(0, 20) } }
}

async function work({ server, index, calls, seed, wrong, count }) {
  const key = `sandbox-worker-${index}`
  const random = createRandom(seed * 1000 + index)
  const base = await list(server, 'sandbox-model')
  let model = toModel(base)
  let kept
  for (let call = 0; call < calls && wrong.length < 100; call++) {
    const choice = random(100)
    count()
    if (choice < 35) {
      const name = `${key} ${call}`
      const { status, body } = await send(server, 'POST', '/v1/pets', key, { name, categoryId: index })
      check(status === 201 && body.id === model.next, `${key} created ${body.id}, not ${model.next}`)
      model.pets.unshift({ id: model.next++, name, categoryId: index })
    } else if (choice < 75) {
      const listed = await list(server, key, 20)
      check(isSame(listed, model.pets.slice(0, 20)), `${key} listed others than its own: ${JSON.stringify(listed[0])}`)
    } else if (choice < 95) {
      const pet = model.pets[random(model.pets.length)]
      const { status, body } = await send(server, 'GET', `/v1/pets/${pet.id}`, key)
      check(status === 200 && isSame(body, pet), `${key} read ${JSON.stringify(body)}, not ${JSON.stringify(pet)}`)
    } else if (choice < 96) {
      await send(server, 'POST', `/_sandbox/worlds/${key}/reset`, key, {})
      model = toModel(base)
    } else if (choice < 97) {
      await send(server, 'POST', `/_sandbox/worlds/${key}/fork`, key, { to: `${key}-copy` })
      const copied = await list(server, `${key}-copy`, 20)
      check(isSame(copied, model.pets.slice(0, 20)), `${key}-copy has others than ${key}`)
    } else if (choice < 98 || !kept) {
      await send(server, 'PUT', `/_sandbox/snapshots/${key}`, key, { world: key })
      kept = { pets: [...model.pets], next: model.next }
    } else {
      await send(server, 'POST', `/_sandbox/snapshots/${key}/restore`, key, { to: key })
      model = { pets: [...kept.pets], next: kept.next }
    }
  }

  function check(isRight, message) {
    if (!isRight) wrong.push(message)
  }
}

function toModel(pets) {
  return { pets: [...pets], next: Math.max(...pets.map(({ id }) => id)) + 1 }
}

async function list(server, key, limit = 100) {
  const all = []
  if (limit <= 100 && key !== 'sandbox-model') return (await send(server, 'GET', `/v1/pets?limit=${limit}`, key)).body
  const exported = await send(server, 'GET', `/_sandbox/worlds/${key}/snapshot`, key)
  all.push(...exported.body.pets.toReversed())
  return all
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** Small and repeatable (mulberry32). */
function createRandom(seed) {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % below
  }
}

function send(server, method, path, key, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        method,
        path,
        host: '127.0.0.1',
        port: server.port,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        },
      },
      (incoming) => {
        const chunks = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const sent = Buffer.concat(chunks).toString()
          resolve({ status: incoming.statusCode, body: sent === '' ? undefined : JSON.parse(sent) })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
