/** Finds the form of keys in what a document says and shows of them. */

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** What stands before the part that was made: `cus_` of `cus_9s6XKzkNRiz8i3`, `ED-` of `ED-24`, `SM` of `SM` and 32 digits. */
const prefixed = /^((?:[a-z]+[_:-])+|[A-Z]{2}(?=[\da-f]{32}$))?(.+)$/i
const kinds: [made: RegExp, characters: string][] = [
  [/^\d+$/, '\\d'],
  [/^[\da-f]+$/, '[\\da-f]'],
  [/^[\dA-F]+$/, '[\\dA-F]'],
  [/^[\da-z]+$/, '[\\da-z]'],
  [/^[\dA-Z]+$/, '[\\dA-Z]'],
  [/^[\dA-Za-z]+$/, '[\\dA-Za-z]'],
]
/** Shorter texts are words, unless they have a prefix. */
const leastMade = 8
/** The least of a text behind a prefix that is made of letters and digits: `abc123` of `file-abc123`. */
const leastBehindPrefix = 6
/** The lengths of texts of hexadecimal digits that need not have any digit below 10: `aaaa…` is a usual example. */
const lengthsOfHashes = [24, 32, 40, 64]

/**
 * The form of keys: `uuid`, else a pattern.
 * @param examples that the document has of them
 * @param said descriptions of them
 * @returns undefined for texts of any other form, such as names
 */
export function findKeyForm(examples: readonly string[], said: readonly string[]): string | undefined {
  const forms = examples.map(formOf)
  const [form] = forms
  if (form !== undefined) return forms.every((each) => each === form) ? form : undefined
  if (examples.length > 0) return undefined
  if (said.some((text) => /\b[GU]UIDs?\b/.test(text) && !/\b(int|integer|number|or)\b/.test(text))) return 'uuid'
  const [, digits] = said.map((text) => /\b(\d{1,2})[- ](?:digit |character )?hex/i.exec(text)).find(Boolean) ?? []
  return digits === undefined ? undefined : `^[\\da-f]{${digits}}$`
}

function formOf(example: string): string | undefined {
  if (uuid.test(example)) return 'uuid'
  const [, prefix = '', made = ''] = prefixed.exec(example) ?? []
  const [, characters] = kinds.find(([kind]) => kind.test(made)) ?? []
  const { length } = made
  const isNumber = characters === '\\d'
  const isHash = lengthsOfHashes.includes(length) && characters !== undefined
  const least = prefix === '' ? leastMade : leastBehindPrefix
  const isMade = isNumber ? prefix !== '' : isHash || (length >= least && /\d/.test(made) && characters !== undefined)
  if (!isMade) return undefined
  return `^${prefix}${isNumber ? '[1-9]\\d{3,}' : `${characters}{${Math.max(length, leastMade)}}`}$`
}
