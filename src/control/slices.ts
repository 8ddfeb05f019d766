/** Divides long work, so that other requests are answered in between. */
import type { ExactValue } from '../json/exact-value.js'
import { createPause } from '../json/steps.js'
import { writeByShape } from '../json/write-by-shape.js'

/** Maps items, with turns of the event loop between them if they take long. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const pause = createPause()
  const mapped: R[] = []
  for (const item of items) {
    mapped.push(map(item))
    await pause()
  }
  return mapped
}

/** Writes a value as JSON text. Divides lists of records. */
export async function writeInSlices(
  value: ExactValue,
  pause: ReturnType<typeof createPause> = createPause(),
): Promise<string> {
  if (typeof value !== 'object' || value === null) return writeByShape(value, [], 0)
  const parts: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) {
      parts.push(hasLists(item) ? await writeInSlices(item, pause) : writeByShape(item, [], 0))
      await pause()
    }
    return `[${parts.join(',')}]`
  }
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${await writeInSlices(member, pause)}`)
  }
  return `{${parts.join(',')}}`
}

/** Whether an item contains lists, like the differences of a collection. */
function hasLists(item: ExactValue): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).some(Array.isArray)
}
