/** Judges searches by a body: asks with the value of a record in one part of the body, and compares as for a list. */
import { valueAt } from '../state/read-shapes.js'
import { findLeaves } from './find-searches.js'
import { judgeFilters } from './judge-filters.js'
import { nameFields } from './name-fields.js'
import { namePaging } from './name-parameters.js'

const sizes = [1000, 500, 250, 200, 100, 50, 30, 25, 20, 10]
const texts = /^(q|query|search|searchterm|searchtext|searchquery|keywords?|term)$/i
/** What every search by words looks at. */
const naming = /^(name|title|label|subject|description|(first|last|full|display)_?name)$/i
const isSyntax = /\b(syntax|expression|operator|lucene|jql|sql|odata|regex|regular)\b/i

/**
 * @param search with `operation`, `schema`, `properties`, `pointer` and `fields`
 * @param tools `send(body)` sends a search, `build()` makes a body with only what is required, `schemas` judges it
 * @returns `{ count, judgements }`, or `{ unreachable }`
 */
export async function judgeSearches(search, { shapes, resolve, schemas, fits, build, send }) {
  const leaves = findLeaves(search, { shapes, resolve })
  const paging = namePaging({ parameters: leaves }, { fits, resolve })
  const least = toLeast(build(), isValid)
  const { size } = paging
  const asked = size && sizes.find((each) => isValid(size.put(least, each)))
  const base = asked === undefined ? least : size.put(least, asked)
  const first = await ask(base)
  if (!first.isSuccess) return { unreachable: `${first.shown.sent}: ${first.shown.got}`.slice(0, 200) }
  const { records } = first
  if (records.length === 0) return { count: 0 }
  addOpenProperties(search, records)
  const fields = nameFields(search.fields, search.pointer)
  const totals = fields.filter(({ kind, header }) => kind === 'total' && header === undefined)
  const total = totals.map(({ pointer }) => valueAt(first.value, pointer)).find((each) => each !== undefined)
  const isSure = asked === undefined ? total === undefined || Number(total) === records.length : records.length < asked
  const conditions = findLeaves(search, { shapes, resolve }).filter((leaf) => !Object.values(paging).includes(leaf))
  const judgements = []
  const whole = { records, isSure, getAll: (changes) => getAll(changes, judgements) }
  const operation = { ...search.operation, parameters: conditions }
  const list = { ...search, operation, paging, fields, base: { parameters: new Map() } }
  judgements.unshift(...(await judgeFilters(list, whole, { fits: fitsBody, resolve })))
  for (const leaf of conditions.filter(isText)) judgements.push(await judgeText(leaf))
  return { count: records.length, judgements: judgements.map((each) => ({ ...each, kind: 'searches' })) }

  /** The first of several values with which the whole body is valid: other parts may be required beside it. */
  function fitsBody(leaf, values) {
    const all = values.flatMap((value) => [value, String(value)])
    return all.find((value) => isValid(leaf.put(base, value)))
  }

  function isText({ name, path, schema, description }) {
    return path.length === 1 && texts.test(name) && resolve(schema)?.type === 'string' && !isSyntax.test(description)
  }

  async function getAll(changes, judged) {
    const body = changes.reduce((all, [leaf, value]) => leaf.put(all, value), base)
    const page = await ask(body)
    const said = totals.map(({ pointer }) => valueAt(page.value, pointer)).find((each) => each !== undefined)
    const isFull = asked !== undefined && page.records.length >= asked
    if (page.isSuccess && said !== undefined && !isFull && isSure) {
      const isRight = Number(said) === page.records.length
      const why = `${said} in all, and ${page.records.length} records`
      const cause = 'total is not that of the search'
      judged.push({
        what: 'total',
        verdict: isRight ? 'right' : 'wrong',
        ...(!isRight && { why, cause, ...page.shown }),
      })
    }
    return { ...page, isFull }
  }

  /** A word of a record finds at least that one, and none without it. */
  async function judgeText(leaf) {
    const named = [...search.properties.values()].filter((place) => naming.test(place.at(-1)))
    const wordOf = (record) =>
      named.map((place) => /[A-Za-z]{4,}/.exec(valueAt(record, place) ?? '')?.[0]).find(Boolean)
    const word = records.map(wordOf).find(Boolean)
    if (word === undefined || !isValid(leaf.put(base, word)))
      return { what: leaf.name, verdict: 'open', why: 'no word' }
    const page = await ask(leaf.put(base, word))
    const has = (record) => JSON.stringify(record).toLowerCase().includes(word.toLowerCase())
    const why = `${page.records.length} of ${records.length} for ${word}`
    if (page.isSuccess && page.records.length > 0 && page.records.every(has))
      return { what: leaf.name, verdict: 'right' }
    const cause = page.isSuccess ? (page.records.length > 0 ? 'text: other records' : 'text: nothing') : 'text: refused'
    return { what: leaf.name, verdict: 'wrong', cause, why, ...page.shown }
  }

  async function ask(body) {
    const answer = await send(body)
    const text = answer.failure ?? answer.body.toString()
    const value = parse(text)
    const found = valueAt(value, search.pointer)
    return {
      isSuccess: answer.status >= 200 && answer.status < 300 && value !== undefined,
      status: answer.status,
      records: Array.isArray(found) ? found : [],
      value,
      shown: { sent: JSON.stringify(body), got: `${answer.status ?? ''} ${text.slice(0, 200)}` },
    }
  }

  function isValid(body) {
    return schemas.errorsOf(search.schema, body).length === 0
  }
}

/** A body with only what its schema requires, and with nothing in it where that is allowed. */
function toLeast(built, isValid) {
  if (isValid({})) return {}
  let least = built
  for (const [name, value] of Object.entries(built)) {
    const { [name]: _, ...without } = least
    const blank = Array.isArray(value) ? [] : typeof value === 'string' ? '' : value
    least = [without, Object.assign({}, least, { [name]: blank })].find(isValid) ?? least
  }
  return least
}

/** Properties in an object that may have any. */
function addOpenProperties(search, records) {
  if (search.properties.has('properties.name')) return
  for (const name of Object.keys(valueAt(records[0], ['properties']) ?? {}))
    search.properties.set(name, ['properties', name])
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
