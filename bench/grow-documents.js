/** The cost of documents as they grow: processor time of `explain` and `export` per part of the document. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, toFigure } from './bars.js'
import { processorTime } from './processor-time.js'
import { workFolder } from './work-folder.js'

const program = fileURLToPath(new URL('../bin/petstore-sandbox.js', import.meta.url))
const info = { title: 'Growth', version: '1' }
const text = { type: 'string' }
const json = (schema) => ({ content: { 'application/json': { schema } } })
const answers = (schema) => ({ responses: { 200: { description: 'ok', ...json(schema) } } })

/** What grows, with its sizes and the command that reads it. `write` returns the document and its other files. */
const kinds = [
  { title: 'explain: collections', sizes: [500, 4000], command: ['explain'], write: writeCollections },
  { title: 'explain: paths', sizes: [8192, 65_536], command: ['explain'], write: writePaths },
  { title: 'explain: servers', sizes: [500, 5000], command: ['explain'], write: writeServers },
  { title: 'export msw: files in a chain', sizes: [250, 1000], command: ['export', 'msw'], write: writeChain },
]

/** @returns a table and bars like the other parts of `growth` */
export function growDocuments({ say }) {
  const rows = kinds.map(({ title, sizes, command, write }) => {
    const seconds = sizes.map((size) => {
      say(`growth: ${title}, ${size}`)
      return measure(command, write(size), size)
    })
    return { title, sizes, seconds }
  })
  return {
    bars: rows.map(({ title, sizes: [few, many], seconds: [least, most] }) =>
      atMost(`${title}: processor time for one, with ${many} / with ${few}`, most / many / (least / few), 1.3),
    ),
    table: {
      title: 'Growth of a document: processor time, s',
      head: ['', 'few', '', 'many', ''],
      rows: rows.map(({ title, sizes, seconds }) => [
        title,
        ...sizes.flatMap((size, index) => [String(size), toFigure(seconds[index])]),
      ]),
    },
    data: rows,
  }
}

/** @returns seconds of processor time */
function measure(command, { document, files = {} }, size) {
  const folder = join(workFolder(), `document-${command.join('-')}-${Object.keys(files).length}-${size}`)
  mkdirSync(folder, { recursive: true })
  const spec = join(folder, 'openapi.json')
  writeFileSync(spec, JSON.stringify(document))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const out = command[0] === 'export' ? ['--force', '--out', join(folder, 'handlers.mjs')] : []
  const before = processorTime(process.pid)
  const { status, stderr } = spawnSync(process.execPath, [program, ...command, spec, ...out], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
  // The time of children that have ended counts as that of this process.
  return (processorTime(process.pid) - before) / 1e6
}

export function writeCollections(size) {
  const numbers = Array.from({ length: size }, (_, index) => index)
  const refOf = (index) => ({ $ref: `#/components/schemas/Thing${index}` })
  const schemaOf = (index) => ({
    type: 'object',
    required: ['id', 'name'],
    properties: { id: text, name: text, ...(index > 0 && { [`thing${index - 1}Id`]: text }) },
  })
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }]
  const paths = numbers.flatMap((index) => [
    [
      `/thing${index}s`,
      {
        get: answers({ type: 'array', items: refOf(index) }),
        post: { requestBody: json(refOf(index)), ...answers(refOf(index)) },
      },
    ],
    [`/thing${index}s/{id}`, { parameters, get: answers(refOf(index)) }],
  ])
  const schemas = Object.fromEntries(numbers.map((index) => [`Thing${index}`, schemaOf(index)]))
  return { document: { openapi: '3.1.0', info, paths: Object.fromEntries(paths), components: { schemas } } }
}

function writePaths(size) {
  const responses = { 200: { description: 'ok' } }
  const paths = Array.from({ length: size }, (_, index) => [`/p${index}`, { get: { responses } }])
  return { document: { openapi: '3.1.0', info, paths: Object.fromEntries(paths) } }
}

function writeServers(size) {
  // Their descriptions begin alike, so that only all their words together name them.
  const servers = Array.from({ length: size }, (_, index) => {
    return { url: `https://h${index}.example.com/v1`, description: `Shard ${index} of region ${index % 7}` }
  })
  return { document: { openapi: '3.1.0', info, servers, paths: { '/things': { get: answers({ type: 'object' }) } } } }
}

function writeChain(size) {
  const file = (index) =>
    index === size - 1 ? { type: 'object', properties: { id: text } } : { $ref: `f${index + 1}.json#/Thing` }
  const files = Array.from({ length: size }, (_, index) => [`f${index}.json`, JSON.stringify({ Thing: file(index) })])
  const get = answers({ $ref: 'f0.json#/Thing' })
  return { document: { openapi: '3.1.0', info, paths: { '/things': { get } } }, files: Object.fromEntries(files) }
}
