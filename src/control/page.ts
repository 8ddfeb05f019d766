/** The page at the root: explains the sandbox and links to its document. */
import { isPathProperty } from '../json/path-property.js'
import { describe, type Sandbox } from '../sandbox/facade/sandbox.js'

/** @param curl a command that a user can run first */
export async function renderPage(sandbox: Sandbox, origin: string, curl: string): Promise<string> {
  const tables = await sampleTables(sandbox)
  const { title, servers, operations, keys, tokens } = describe(sandbox, origin)
  const rows = operations.map(({ method, path, effect, notes, servers: names }) => [
    `<code>${escapeHtml(method)} ${escapeHtml(path)}</code>`,
    escapeHtml(effect),
    escapeHtml(names.join(', ')),
    escapeHtml(notes),
  ])
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} in the sandbox</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>This sandbox answers like the service. It keeps your changes until it restarts.</p>
<h2>Addresses</h2>
<dl>${servers.map(({ name, url }) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(url)}</code></dd>`).join('')}</dl>
<h2>Key</h2>
<p>${escapeHtml(keys)}</p>${
    tokens === undefined
      ? ''
      : `
<p>Tokens are issued at <code>${escapeHtml(tokens)}</code></p>`
  }
<h2>Try it</h2>
<pre><code>${escapeHtml(curl)}</code></pre>${
    tables.length === 0 ? '' : `\n<h2>Data</h2>\n${tables.map(renderTable).join('\n')}`
  }
<h2>Operations</h2>
<div class="wide"><table>
<thead><tr><th>Operation</th><th>Effect</th><th>On</th><th></th></tr></thead>
<tbody>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table></div>
<h2>Document</h2>
<p><a href="/_sandbox/openapi.yaml">openapi.yaml</a>, <a href="/_sandbox/openapi.json">openapi.json</a>,
<a href="/_sandbox/health">health</a></p>
</main>
</body>
</html>
`
}

function renderTable({ collection, columns, rows }: SampleTable): string {
  const cells = (row: string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table>
<caption>${escapeHtml(collection)}</caption>
<thead>${cells(columns, 'th')}</thead>
<tbody>${rows.map((row) => cells(row, 'td')).join('\n')}</tbody>
</table></div>`
}

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem }
h1 { margin: 0 }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem }
code { font: .95em ui-monospace, monospace }
pre { padding: .75rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .25rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 }
dd { margin: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; padding: .5rem 0 .1rem; opacity: .75 }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); vertical-align: top }
td:first-child { white-space: nowrap }
`.trim()

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

interface SampleTable {
  collection: string
  columns: string[]
  /** The newest records, cell by cell. */
  rows: string[][]
}

const maxTables = 4

const maxRows = 3

const maxColumns = 6

const maxCharacters = 40

/** Milliseconds after which no further collection is opened, because its records may have to be generated first. */
const timeLimitMs = 300

/** The newest records of the first listed collections with records, on their first server. */
async function sampleTables({ contract, world }: Sandbox): Promise<SampleTable[]> {
  const listed = contract.operations.flatMap(({ effect }) => (effect.kind === 'list' ? effect.collection : []))
  const others = contract.operations.flatMap(({ effect }) => (effect.kind === 'read' ? effect.collection : []))
  const tables: SampleTable[] = []
  const start = performance.now()
  for (const collection of new Set([...listed, ...others])) {
    if (tables.length === maxTables || performance.now() - start > timeLimitMs) break
    const records = await world().collection(collection).list({ limit: maxRows })
    const columns = columnsOf(records)
    const rows = records.map((record) => columns.map((name) => toCell(record[name])))
    if (columns.length > 0) tables.push({ collection, columns, rows })
  }
  return tables
}

/** The most informative properties: without hidden ones and those with only lists and objects. */
function columnsOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  const isShown = (name: string) =>
    !isPathProperty(name) && records.some((record) => record[name] != null && typeof record[name] !== 'object')
  return [...names].filter(isShown).slice(0, maxColumns)
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? '…' : String(value)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text
}
