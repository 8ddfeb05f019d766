/** Chooses the readings of texts that a schema accepts, because the same text may be a value of several types. */
import type { SchemaError, Validate } from '../contract/validator.js'
import { toRounded } from '../json/rounding.js'
import type { Choose } from './fields.js'

/** Maximum validations of one value. */
const maxTries = 64
/** Maximum readings of all tries, so that large forms do not take long. */
const maxReadings = 5_000

/** How often the next reading of a text is used instead, by place. */
type Choices = ReadonlyMap<string, number>

/**
 * The order of alternatives and types means nothing (JSON Schema Core 2020-12, section 10.2.1), so any reading may be the
 * valid one. The first one has the first type in the order of the document that the text fits. While that is invalid,
 * texts at the places of errors are read in the next way: all of them at once, then one after another.
 * @returns the first valid reading, else the one with the fewest invalid members
 */
export function fitReadings<Read extends { rounded: unknown; exact?: unknown }>(
  read: (choose?: Choose) => Read,
  validate: Validate | undefined,
): Read {
  // Validators look up in the object around a number that is no double which one it is.
  const isValid = ({ rounded, exact }: Read) =>
    typeof exact === 'bigint'
      ? validate?.(rounded, { parentData: toRounded({ exact }) as object, parentDataProperty: 'exact' })
      : validate?.(rounded)
  const first = read()
  if (!validate || isValid(first)) return first
  let best = { read: first, members: Number.POSITIVE_INFINITY }
  let readings = 0
  const open: Choices[] = [new Map()]
  const known = new Set([''])
  const add = (choices: Choices, places: readonly string[]) => {
    const next = new Map(choices)
    for (const at of places) next.set(at, (next.get(at) ?? 0) + 1)
    const id = JSON.stringify([...next].sort())
    if (!known.has(id)) open.push(next)
    known.add(id)
  }
  // The list grows during the loop.
  for (const [tries, choices] of open.entries()) {
    // Reading everything in the next way once is always affordable.
    if (tries >= maxTries || (tries > 1 && readings > maxReadings)) break
    const counts = new Map<string, number>()
    const next = read((at, values) => {
      counts.set(at, values.length)
      return values[choices.get(at) ?? 0]?.()
    })
    if (isValid(next)) return next
    const errors = validate.errors ?? []
    const members = new Set(errors.map(({ instancePath }) => instancePath.split('/', 2)[1])).size
    if (members < best.members) best = { read: next, members }
    readings += counts.size + errors.length
    const failing = placesOf(errors, [...counts.keys()]).filter(
      (at) => (choices.get(at) ?? 0) + 1 < (counts.get(at) ?? 0),
    )
    if (failing.length === 0) continue
    add(choices, failing)
    for (const at of failing.slice(0, maxTries)) add(choices, [at])
  }
  return best.read
}

/** The places of texts that errors are about: their own, those of a list or object, and those in a compared value. */
function placesOf(errors: readonly SchemaError[], places: readonly string[]): string[] {
  const found = new Set<string>()
  const compared = new Set<string>()
  for (const { instancePath, keyword } of errors) {
    if (['const', 'enum', 'not', 'contains', 'uniqueItems'].includes(keyword)) compared.add(`${instancePath}/`)
    for (let end = instancePath.length; end >= 0; end = instancePath.lastIndexOf('/', end - 1)) {
      found.add(instancePath.slice(0, end))
      if (end === 0) break
    }
  }
  const around = [...compared].slice(0, maxTries)
  return places.filter((at) => found.has(at) || around.some((each) => at.startsWith(each)))
}
