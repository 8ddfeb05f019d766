/** Writes what was learned as parts of extensions, and as properties that the document lacks. */
import type { DocumentPath } from '../document/document.js'
import type { Learned } from './observed.js'

/** A correction at the place of a line. */
export interface WrittenLine {
  line: Learned
  /** The extension, or what a schema gets. */
  update: Record<string, unknown>
  /** The schema that gets a property. Absent: it is at the place that the line is about. */
  added?: DocumentPath
}

/** Members that are lists of names. */
const lists: ReadonlySet<string> = new Set(['unique', 'keys'])

/** What a line needs comes before it, once. */
export function writeLearned(lines: readonly Learned[]): WrittenLine[] {
  const known = new Set<string>()
  return lines.flatMap((line) => {
    const { member, about, says, adds = [] } = line
    const missing = adds.filter(({ schema, name }) => {
      const place = JSON.stringify([schema, name])
      return !known.has(place) && known.add(place)
    })
    const value = lists.has(member) ? [about] : about === '' ? says : { [about]: says }
    return [
      ...missing.map(
        ({ schema, name, type }): WrittenLine => ({
          line,
          update: { properties: { [name]: type === 'null' ? {} : { type } } },
          added: schema,
        }),
      ),
      { line, update: { [member]: value } },
    ]
  })
}
