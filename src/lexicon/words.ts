/** Splits names into words, and compares them: `bookId`, `book_id` and `BookID` are the same name. */

/** Characters of the longest name that is searched for in texts, because engines refuse or overflow with larger expressions. */
export const mostSearched = 200

/**
 * The words of a name in lower case.
 * @example wordsOf('findBooksByAuthor') // ['find', 'books', 'by', 'author']
 */
export function wordsOf(name: string): string[] {
  // Most names have no capital letters.
  if (!/[A-Z]/.test(name)) return name.split(/[^a-z0-9]+/).filter((word) => word !== '')
  return name
    .replace(/(?<![A-Z])[A-Z]{2,}s(?![a-z])/g, (plural) => plural.slice(0, 1) + plural.slice(1).toLowerCase())
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** What a noun has in common with the participle of its verb: `enroll` for enrollment and enrolled. */
export function stemOf(noun: string): string {
  return noun.length > 6 ? noun.replace(/(ment|ing|ed)$/, '') : noun
}

/** A name without its case and separators. */
export function bareName(name: string): string {
  return /^[a-z0-9]*$/.test(name) ? name : name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Counts how often each text occurs. @param counts existing counts to add to */
export function countTexts(texts: Iterable<string>, counts: Map<string, number> = new Map()): Map<string, number> {
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Words that end in `s` and name one thing. */
const singulars = new Set([
  ...['address', 'access', 'status', 'business', 'process', 'progress', 'success', 'class', 'news', 'bus', 'gas'],
  ...['analysis', 'basis', 'axis', 'series', 'species', 'canvas', 'atlas', 'campus', 'bonus', 'focus', 'virus', 'dns'],
  ...['https', 'tls', 'sms', 'mms', 'gps', 'os', 'ios', 'aws', 'cors', 'rss', 'css', 'this', 'is', 'was', 'has', 'us'],
  ...['plus', 'chassis', 'consensus', 'corpus', 'census', 'lens', 'pass', 'express', 'press', 'loss', 'glass', 'cross'],
  ...['settings', 'preferences', 'details', 'stats', 'statistics', 'analytics', 'metrics', 'diagnostics', 'basics'],
])

const irregular = new Map(
  Object.entries({
    ...{ people: 'person', children: 'child', men: 'man', women: 'woman', indices: 'index', matrices: 'matrix' },
    ...{ vertices: 'vertex', criteria: 'criterion', media: 'medium', data: 'datum', analyses: 'analysis' },
    ...{ aliases: 'alias', statuses: 'status', addresses: 'address', buses: 'bus', caches: 'cache', movies: 'movie' },
    ...{ databases: 'database', leaves: 'leaf', lives: 'life', wives: 'wife', cookies: 'cookie', selfies: 'selfie' },
  }),
)

/**
 * The singular of a word, by its ending.
 * @example singular('categories') // 'category'
 */
export function singular(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (!word.endsWith('s')) return word
  if (/^[^aeious]s$/.test(word)) return word.slice(0, 1)
  if (singulars.has(word) || word.length < 3) return word
  if (/ies$/.test(word) && word.length > 4) return word.replace(/ies$/, 'y')
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.replace(/es$/, '')
  return /[^su]s$/.test(word) ? word.replace(/s$/, '') : word
}

/** Whether a word names several things. */
export function isPlural(word: string): boolean {
  return singular(word) !== word && word !== 'data' && word !== 'media'
}

/** The last word of a name in the singular: `item` for `store-items`. */
export function nounOf(name: string): string {
  return singular(wordsOf(name).at(-1) ?? '')
}

/** Whether two names are equal, ignoring plurals. */
export function isSameName(one: string, other: string): boolean {
  return sameName(one) === sameName(other)
}

/** The normalized form of a name: `bookshelve` for `bookShelves` and `book_shelve`. */
export function sameName(name: string): string {
  return wordsOf(name).map(singular).join('')
}

/** The names of one record, longest first: `insurancepolicy` and `policy` for `insurance-policies`. */
export function nounsOf(name: string): string[] {
  const words = wordsOf(name)
  return words.map((_, index) => [...words.slice(index, -1), singular(words.at(-1) ?? '')].join(''))
}

/** Words at the beginning of the names of schemas that say what they are for, also in other languages. */
const form =
  /^(dados|datos|detalhamento|detalhes?|detalles?|listagem|listado|lista|cadastro|atualizacao|resumo|resumen|dto|simple|brief|available) (?=\w)/

/** Words at the end of the names of schemas that do not tell what the record is. */
const generic =
  /(^| )(response|request|result|dto|model|schema|object|resource|entity|data|full|summary|base|view|record|read|output|input|body|payload|item|type|representation|info|v?\d+|get|list|public|minimal|simple|details?|compact|contract|wrapper|envelope|attributes?|properties|search|vo|ref|reference|json|api|for api|for|brief|lite|rows?|dados|datos|detalhamento|detalhes?|detalles?|resposta|respuesta|retorno|(?<!\b(?:check|sign|log|time|opt|pay|roll|drop) )(?:in|out))$/

/** Whether a word is the beginning of a noun: `cat` for category, `cust` for customer */
export function isShortFor(word: string, noun: string): boolean {
  return (word.length === 3 || word.length === 4) && noun.length > word.length + 2 && noun.startsWith(word)
}

/** The words of a schema by reference: `customer` for `#/components/schemas/CustomerResponse`. */
export function ownerOfReference(reference: string): string | undefined {
  if (!/^#\/components\/schemas\/[^/]+$/.test(reference)) return undefined
  let words = spaced(reference.slice(reference.lastIndexOf('/') + 1).replace(/^.*\./, ''))
  while (form.test(words)) words = words.replace(form, '')
  while (generic.test(words)) words = words.replace(generic, '')
  return words === '' ? undefined : words
}

/** The name of a schema without a technical suffix: `UserEntity`, `UserDto` */
export function withoutSuffix(name: string): string {
  return name.replace(/(Entity|Dto|DTO|Model|Response|Resource|View|Object|Output|Schema|Item|Details?)$/, '')
}

/** The words of the owner: `album` for `artists/{id}/albums`. */
export function ownerWords(owner: string): string {
  const segment = owner.split('/').findLast((each) => each !== '' && !each.startsWith('{')) ?? ''
  const words = wordsOf(segment.replace(/\.\w+$/, ''))
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join(' ')
}

/** `categoryId` and `category_id` become `category id`. */
export function spaced(name: string): string {
  return wordsOf(name).join(' ')
}
