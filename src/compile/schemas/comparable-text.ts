/** Compares the items of an array in linear time: Ajv compares each one with each other. */

/**
 * The same text for equal JSON values, and only for these. Validators contain the code of this function, so it uses
 * nothing outside of itself.
 * @example toComparableText({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function toComparableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => toComparableText(item)).join()}]`
  const values = value as Record<string, unknown>
  const members = Object.keys(values).map((name) => `${JSON.stringify(name)}:${toComparableText(values[name])}`)
  return `{${members.sort().join()}}`
}
