/** Reads and writes times in the usual notations: `2026-01-31T08:30:00+01:00`, `31/01/2026`, `Sat, 31 Jan 2026 08:30:00 GMT`. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Replaces the parts in braces: `{Y}-{M}-{D}`, `{h}:{m}:{s}`, `{N}` for the month's and `{W}` for the day's name. */
export function writeTime(at: number, form: string): string {
  const time = new Date(at)
  const [Y, M, D, h, m, s] = time.toISOString().split(/[-T:.]/)
  const values: Record<string, string | undefined> = { Y, M, D, h, m, s, d: String(time.getUTCDate()) }
  values['N'] = months[time.getUTCMonth()]
  values['W'] = days[time.getUTCDay()]
  return form.replace(/\{(\w)\}/g, (_, part: string) => values[part] ?? '')
}

function compileForms(): RegExp[] {
  const clock = String.raw`(?<h>[01]\d|2[0-3]):(?<m>[0-5]\d)(?::(?<s>[0-5]\d)(?:\.\d+)?)?`
  const zone = String.raw`(?: ?(?:Z|UTC|GMT|(?<offset>[+-]\d\d:?\d\d)))?`
  const name = `(?<N>${months.join('|')})`
  const day = `(?:(?<W>${days.join('|')}),? )`
  return [
    String.raw`(?<Y>[12]\d{3})(?<between>[-/.]?)(?<M>[01]\d)\k<between>(?<D>[0-3]\d)(?:[T ]${clock}${zone})?`,
    String.raw`(?<D>[0-3]\d)(?<between>[-/.])(?<M>[01]\d)\k<between>(?<Y>[12]\d{3})(?:[T ]${clock}${zone})?`,
    String.raw`(?<M>[01]\d)(?<between>[-/.])(?<D>[0-3]\d)\k<between>(?<Y>[12]\d{3})(?:[T ]${clock}${zone})?`,
    String.raw`${day}?(?<D>[0-3]\d) ${name} (?<Y>[12]\d{3})(?: ${clock}${zone})?`,
    String.raw`${day}?${name} (?<d>[1-3]?\d),? (?<Y>[12]\d{3})(?: ${clock}${zone})?`,
    `${clock}${zone}`,
    String.raw`(?<Y>[12]\d{3})(?<M>[01]\d)(?<D>[0-3]\d)(?<h>[01]\d|2[0-3])(?<m>[0-5]\d)(?<s>[0-5]\d)`,
  ].map((form) => new RegExp(`^${form}$`, 'd'))
}

// Bundles that read no times drop it.
const forms = /* @__PURE__ */ compileForms()

/** The milliseconds since 1970 of a text and its form, or undefined if it is no time. Clock times are those of 1970-01-01. */
export function readTime(text: string): { at: number; form: string } | undefined {
  if (!/\d\d/.test(text) || text.length > maxLength) return undefined
  for (const each of forms) {
    const { groups: own, indices } = each.exec(text) ?? {}
    if (!own || !indices?.groups) continue
    const month = own['N'] === undefined ? own['M'] : String(months.indexOf(own['N']) + 1)
    const date = [own['Y'] ?? '1970', month ?? '01', own['D'] ?? own['d'] ?? '01'].map((part) => part.padStart(2, '0'))
    const at = Date.parse(`${date.join('-')}T${own['h'] ?? '00'}:${own['m'] ?? '00'}:${own['s'] ?? '00'}Z`)
    if (Number.isNaN(at)) continue
    const { offset: _, between: __, ...parts } = indices.groups
    let form = text
    const places = Object.entries(parts).flatMap(([part, place]) => (place ? [{ part, place }] : []))
    for (const { part, place } of places.toSorted((a, b) => b.place[0] - a.place[0]))
      form = `${form.slice(0, place[0])}{${part}}${form.slice(place[1])}`
    return { at, form }
  }
  return undefined
}

/** Characters of the longest time. */
const maxLength = 40
