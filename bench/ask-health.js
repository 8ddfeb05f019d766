/** How long a server does not answer while the control API works on a world of many records. */
import { atMost, toFigure } from './bars.js'
import { launch } from './servers/launch.js'
import { ours, oursWith } from './servers/subjects.js'

const records = 700_000
const world = '/_sandbox/worlds/sandbox'
const send = (method, path, body) => ({ method, path, body })

/** In this order: each works on what the one before has left. */
const operations = [
  send('GET', `${world}/collections/pets/records?limit=5`),
  send('PUT', '/_sandbox/snapshots/a', { world: 'sandbox' }),
  send('GET', `${world}/snapshot`),
  send('PUT', `${world}/snapshot`, 'exported'),
  send('PUT', '/_sandbox/snapshots/b', { world: 'sandbox' }),
  send('GET', `${world}/diff`),
  send('POST', '/_sandbox/snapshots/b/restore', { to: 'sandbox' }),
  send('POST', `${world}/fork`, { to: 'sandbox-fork' }),
  send('POST', `${world}/reset`, {}),
]

export async function askHealth({ say }) {
  const server = await launch({
    ...oursWith('ours-control', ['--records', String(records)]),
    ready: ours.requests.list,
  })
  const base = `http://127.0.0.1:${server.port}`
  try {
    const rows = []
    let exported = ''
    for (const { method, path, body } of operations) {
      say(`growth: ${method} ${path}`)
      const { text, waits } = await askBeside(base, { method, path, body: body === 'exported' ? exported : body })
      if (method === 'GET' && path === `${world}/snapshot`) exported = text
      rows.push({ title: `${method} ${path.replace('/_sandbox', '')}`, waits })
    }
    const all = rows.flatMap(({ waits }) => waits)
    return {
      bars: [
        atMost(`health during control operations on ${records} records: p95`, partOf(all, 0.95), 100, ' ms'),
        atMost(`health during control operations on ${records} records: longest`, Math.max(...all), 1000, ' ms'),
      ],
      table: {
        title: `Answers of /_sandbox/health during control operations on ${records} records, ms`,
        head: ['', 'p95', 'longest'],
        rows: rows.map(({ title, waits }) => [title, toFigure(partOf(waits, 0.95)), toFigure(Math.max(...waits))]),
      },
      data: rows,
    }
  } finally {
    await server.close()
  }
}

/** Sends one request, and asks for the health until it is answered. */
async function askBeside(base, { method, path, body }) {
  const waits = []
  let isDone = false
  const asking = (async () => {
    while (!isDone || waits.length < 20) {
      const start = performance.now()
      await (await fetch(`${base}/_sandbox/health`)).text()
      waits.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(base + path, { method, headers, body: text })
  const answer = await response.text()
  isDone = true
  await asking
  if (!response.ok) throw new Error(`${method} ${path} got ${response.status}: ${answer.slice(0, 200)}`)
  return { text: answer, waits }
}

function partOf(values, part) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]
}
