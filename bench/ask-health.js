/** How long a server does not answer while the control API works on a world of many records, or on a large document. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, toFigure } from './bars.js'
import { writeCollections } from './grow-documents.js'
import { launch } from './servers/launch.js'
import { ours, oursWith } from './servers/subjects.js'
import { workFolder } from './work-folder.js'

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

const collections = 500
const operation = encodeURIComponent(`GET /thing${collections - 1}s/{id}`)
/** Each is the first request to the control API of a new server. */
const firstLooks = [
  send('GET', '/_sandbox/about'),
  send('GET', '/_sandbox/collections'),
  send('GET', world),
  send('GET', `${world}/snapshot`),
  send('GET', `${world}/collections/thing${collections - 1}s/records`),
  send('GET', '/_sandbox/operations'),
  send('GET', `/_sandbox/operations/${operation}`),
  send('GET', `/_sandbox/operations/${operation}/overlay`),
  send('PUT', `/_sandbox/operations/${operation}/correction`, { effect: 'example' }),
]

/** The same for the control API of a document of many collections. */
export async function askFirstLooks({ say }) {
  const spec = join(workFolder(), `collections-${collections}.json`)
  writeFileSync(spec, JSON.stringify(writeCollections(collections).document))
  const rows = []
  for (const { method, path, body } of firstLooks) {
    say(`growth: ${method} ${path}`)
    const server = await launch({ ...oursWith('ours-first', ['--spec', spec]), ready: send('GET', '/_sandbox/health') })
    try {
      const { waits } = await askBeside(`http://127.0.0.1:${server.port}`, { method, path, body })
      rows.push({ title: `${method} ${decodeURIComponent(path).replace('/_sandbox', '')}`, waits })
    } finally {
      await server.close()
    }
  }
  const longest = Math.max(...rows.flatMap(({ waits }) => waits))
  return {
    bars: [atMost(`health during first looks at ${collections} collections: longest`, longest, 250, ' ms')],
    table: toTable(`first looks at ${collections} collections`, rows),
    data: rows,
  }
}

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
      table: toTable(`control operations on ${records} records`, rows),
      data: rows,
    }
  } finally {
    await server.close()
  }
}

function toTable(during, rows) {
  return {
    title: `Answers of /_sandbox/health during ${during}, ms`,
    head: ['', 'p95', 'longest'],
    rows: rows.map(({ title, waits }) => [title, toFigure(partOf(waits, 0.95)), toFigure(Math.max(...waits))]),
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
