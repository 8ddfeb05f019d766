/** Some records of some collections as tables, for the page at the root. */
import type { Sandbox } from '../sandbox/sandbox.js'

export interface SampleTable {
  collection: string
  columns: string[]
  /** The newest records, cell by cell. */
  rows: string[][]
}

const maxTables = 4
const maxRows = 3
const maxColumns = 6
const maxCharacters = 40
/** Milliseconds after which no further collection is opened, as its records may have to be made first. */
const timeLimitMs = 300

/** The newest records of the first collections that are listed and have some, as those of the first server see them. */
export async function sampleTables({ contract, world }: Sandbox): Promise<SampleTable[]> {
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

/** The properties that say most: no parts of paths, and none that have only lists and objects. */
function columnsOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  const isShown = (name: string) =>
    !name.startsWith('{') && records.some((record) => record[name] != null && typeof record[name] !== 'object')
  return [...names].filter(isShown).slice(0, maxColumns)
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? '…' : String(value)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text
}
