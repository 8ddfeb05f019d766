/** Prints the effects of the operations of a document with their reasons, and its notes. */

import { plural } from '../checks/reports/report-texts.js'
import { toJson, toLines } from '../checks/reports/safe-text.js'
import type { DocumentNote } from '../compile/notes.js'
import type { ExplainedOperation } from '../compile/resources/explain-operation.js'
import { compileSpec } from '../entries/compile-spec.js'
import { type DocumentOptions, toSpecOptions } from './document-options.js'

export interface ExplainOptions extends DocumentOptions {
  json?: boolean
}

/** What `--json` prints. */
interface Explanation {
  operations: ExplainedOperation[]
  collections: { name: string; path: string; key: string; keyKind: string; servers: string[] }[]
  notes: DocumentNote[]
}

/** @param part only operations whose path contains this text */
export async function explainDocument(
  part: string | undefined,
  { strict = false, json = false, ...options }: ExplainOptions,
): Promise<void> {
  const compiled = await compileSpec(toSpecOptions(options), { strict, thorough: true })
  const { contract, explanations, collectionPaths } = compiled
  const operations = explanations.filter(({ path }) => part === undefined || path.includes(part))
  const shown = new Set(operations.map(({ collection }) => collection))
  const collections = contract.collections
    .map(({ name: collection, key, keyKind, servers }) => {
      return { name: collection, path: collectionPaths.get(collection) ?? '', key, keyKind, servers }
    })
    .filter(({ path }) => part === undefined || shown.has(path))
  const explanation: Explanation = { operations, collections, notes: compiled.notes() }
  const title = `${contract.title.replace(/\s+/g, ' ')} ${contract.version}`.trim()
  process.stdout.write(json ? toJson(explanation) : toLines(render(title, explanation)))
}

function render(title: string, { operations, notes }: Explanation): string {
  const widthOf = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length))
  const widths = [
    widthOf(operations.map(({ method }) => method)),
    widthOf(operations.map(({ path }) => path)),
    widthOf(operations.map(({ effect }) => effect)),
  ] as const
  const rows = operations.map(({ method, path, effect, reason, sure }) => {
    const doubt = sure === 'high' ? '' : ` (${sure === 'low' ? 'not sure' : 'likely'})`
    return `  ${method.padEnd(widths[0])}  ${path.padEnd(widths[1])}  ${effect.padEnd(widths[2])}  ${reason}${doubt}`
  })
  const found = groupNotes(notes).map(({ count, file, line, column, message, instead }) => {
    const place = `${file}:${line}:${column}`
    const text = `${message.replace(/\s+/g, ' ')}; ${instead}`
    return count === 1 ? `  ${place}  ${text}` : `  ${count} ×, first at ${place}  ${text}`
  })
  const heading = notes.length === 0 ? 'Nothing is wrong in the document' : `${plural(notes.length, 'note')}:`
  return [title, '', ...rows, '', heading, ...found, ''].join('\n')
}

/** Notes that say the same, with the place of the first. */
function groupNotes(notes: readonly DocumentNote[]): (DocumentNote & { count: number })[] {
  const groups = new Map<string, DocumentNote & { count: number }>()
  for (const note of notes) {
    const key = JSON.stringify([note.message, note.instead])
    const known = groups.get(key)
    if (known) known.count++
    else groups.set(key, { ...note, count: 1 })
  }
  return [...groups.values()]
}
