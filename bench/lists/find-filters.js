/** Finds the query parameters that filter a list by a property of its records, by their names. */
import { normalize } from '../documents/collect-keys.js'

const prefixes = { min: 'least', minimum: 'least', max: 'most', maximum: 'most' }
const suffixes = {
  gte: 'least',
  min: 'least',
  minimum: 'least',
  lte: 'most',
  max: 'most',
  maximum: 'most',
  gt: 'above',
  greaterthan: 'above',
  lt: 'below',
  lessthan: 'below',
  after: 'from',
  since: 'from',
  from: 'from',
  before: 'to',
  until: 'to',
  eq: 'equal',
}
/** Names that ask for another form of the answer. */
const presentation = new Set(
  `fields select include includes expand embed format alt key apikey accesstoken callback prettyprint quotauser uploadprotocol
  apiversion locale lang language units timezone view depth`.split(/\s+/),
)
/** An equal value is not what such a parameter is about. */
const isAboutRange =
  /\b(after|before|since|until|or later|or earlier|later than|earlier than|greater|less|range|at least|at most)\b/i
const isAboutPart = /\b(contain|substring|partial|search|prefix|start(s|ing) with|begins|wildcard|like|fuzzy|match)/i

/**
 * @param list with `properties` and `paging`
 * @returns `{ filters, open }`: filters as `{ parameter, place, operator }`
 */
export function findFilters(list, { resolve }) {
  const paging = new Set(Object.values(list.paging))
  const filters = []
  const open = []
  for (const parameter of list.operation.parameters) {
    if (parameter.in !== 'query' || paging.has(parameter) || isCredential(list.operation, parameter)) continue
    const words = wordsOf(parameter.name)
    const found = match(words, list.properties)
    if (found === undefined) continue
    const { description = '', name } = parameter
    const isOrdered = found.operator !== 'equal'
    const leave = (why) => open.push({ what: name, why })
    if (presentation.has(normalize(name))) leave('it may ask for another form of the answer')
    else if (parameter.mediaType || resolve(parameter.schema)?.type === 'object') leave('it takes an object')
    else if (!isOrdered && isAboutRange.test(description)) leave('its description is about a range')
    else if (/\b(exclude|except|not equal|instead of filtering)\b/i.test(description)) leave('it may exclude records')
    else filters.push({ parameter, ...found, isPart: isAboutPart.test(description) })
  }
  return { filters, open }
}

/** Words of a name: of `filter[createdAt][gte]` they are `filter`, `created`, `at`, `gte`. */
function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function match(words, properties) {
  const isWrapped = (words[0] === 'filter' || words[0] === 'filters' || words[0] === 'where') && words.length > 1
  const bare = isWrapped ? words.slice(1) : words
  const equal = named(bare.join(''), properties)
  if (equal !== undefined) return { place: equal, operator: 'equal' }
  if (bare.length < 2) return undefined
  const ofPrefix = prefixes[bare[0]]
  const inPrefix = ofPrefix && named(bare.slice(1).join(''), properties, true)
  if (inPrefix) return { place: inPrefix, operator: ofPrefix }
  const own = Object.hasOwn(suffixes, bare.at(-1)) ? suffixes[bare.at(-1)] : undefined
  const inSuffix = own && named(bare.slice(0, -1).join(''), properties, own !== 'equal')
  return inSuffix ? { place: inSuffix, operator: own } : undefined
}

/** @param isLoose whether `created` is also `created_at` */
function named(bare, properties, isLoose = false) {
  const at = (isIt) => [...properties.values()].find((place) => isIt(normalize(place.at(-1))))
  const exact = at((name) => name === bare)
  return (
    exact ?? (isLoose ? at((name) => name.replace(/(at|on|date|time|datetime|timestamp)$/, '') === bare) : undefined)
  )
}

function isCredential({ credentials }, { name }) {
  return credentials.some((each) => each.in === 'query' && each.name === name)
}
