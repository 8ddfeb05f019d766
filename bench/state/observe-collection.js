/** Creates, reads, lists, updates and removes a record of a collection, and notes in which step the server disagrees. */
import { createKeys, normalize, pathBefore, toCollection } from '../documents/collect-keys.js'
import { findDifference } from './compare-values.js'
import { namesIn } from './exchange.js'
import { bodySchema, jsonOf } from './find-collections.js'
import { hasKey, valueAt } from './read-shapes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSuccess = ({ status }) => status >= 200 && status < 300
const isGone = ({ status }) => status === 404 || status === 410
const isRefused = ({ status }) => status >= 400 && status < 500
const sizes =
  /^(limit|per_?page|page_?size|page\[size\]|size|count|max_?results|max_?items|\$?top|first|rows|maxresults)$/i
const pages = /^(page|page_?number|page\[number\]|page_?no|page_?index)$/i
const greatestPage = 5

const isKey = (value) => (typeof value === 'string' && value !== '') || typeof value === 'number'

/** No list or creation gives the key of a parent. */
export class UnknownParent extends Error {}

/** The step in which nothing more can be observed. */
class Stopped extends Error {}

export function createObserve({ groups, observable, ask, makeKey, isValid, compare, schemas }) {
  const parents = new Map()

  return async function observe(collection) {
    const checks = []
    const note = (step, operations, exchange, cause) => {
      const ids = operations.map(({ id }) => id)
      checks.push({ step, operations: ids, ...(cause !== undefined && { cause, ...exchange.shown }) })
      return cause === undefined
    }
    const need = (...args) => {
      if (!note(...args)) throw new Stopped()
    }
    try {
      await observeSteps(collection, note, need)
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
    return { id: collection.id, depth: collection.depth, checks }
  }

  async function observeSteps(collection, note, need) {
    const { creation, read, list, remove, updates } = collection
    const above = await valuesAbove(collection)
    const made = await create(collection, above)
    need('create', [creation], made, isSuccess(made) ? undefined : statusOf(made))
    need('key', [creation], made, made.key === undefined ? 'the answer has no key' : undefined)
    const values = [...above, made.key]
    const first = await ask(read, values)
    need('read', [creation, read], first, isSuccess(first) ? undefined : statusOf(first))
    note('read values', [creation, read], join(made, first), differenceOf(collection, creation, made, first))
    if (list) await observeList(collection, above, made, note)
    for (const update of updates) await observeUpdate(collection, update, values, first, note)
    await observeUnknownParent(collection, above, note)
    if (remove) await observeRemoval(collection, above, made, note)
    await observeParentRemoval(collection, note)
  }

  async function observeList({ creation, list, record }, above, { key, keyName }, note) {
    const found = await findInList(list, above, (value) => hasKey(value, key, keyName ?? record.key))
    const cause = !isSuccess(found) ? statusOf(found) : found.isFound ? undefined : 'the list does not have the record'
    note('list', [creation, list], found, cause)
  }

  async function findInList(list, above, isThere) {
    const size = list.parameters.find((each) => each.in === 'query' && sizes.test(each.name))
    const page = list.parameters.find((each) => each.in === 'query' && pages.test(each.name))
    let answer = await ask(list, above)
    if (!isSuccess(answer)) return answer
    for (let number = 1; number <= greatestPage && !isThere(answer.value); number++) {
      if (size === undefined && page === undefined) break
      const change = ({ parameters }) => {
        const most = [size?.schema?.maximum, 1000, 100].find(
          (each) => each !== undefined && isValid(size?.schema, each),
        )
        if (size && most !== undefined) parameters.set(size, most)
        if (page && number > 1) parameters.set(page, number)
      }
      const next = await ask(list, above, { change })
      if (!isSuccess(next)) break
      answer = next
    }
    return { ...answer, isFound: isThere(answer.value) }
  }

  async function observeUpdate(collection, update, values, first, note) {
    const { creation, read } = collection
    const change = (parts) => {
      const { parameters } = parts
      for (const parameter of parameters.keys()) {
        const isCondition = parameter.in === 'header' && /^if-match$/i.test(parameter.name)
        if (isCondition) parameters.set(parameter, first.headers.etag ?? '*')
      }
      setKey(collection, update, parts, values.at(-1))
      changeValue(collection, update, parts)
    }
    let updated = await ask(update, values, { isMinimal: false, change })
    if (isRefused(updated)) updated = await ask(update, values, { change })
    const step = update.method === 'PUT' ? 'replace' : 'update'
    const isDone = note(step, [creation, update], updated, isSuccess(updated) ? undefined : statusOf(updated))
    if (!isDone) return
    const after = await ask(read, values)
    const cause = isSuccess(after) ? differenceOf(collection, update, updated, after) : statusOf(after)
    note(`read after ${step}`, [creation, update, read], join(updated, after), cause)
  }

  async function observeRemoval({ creation, remove, read, list, record }, above, made, note) {
    const values = [...above, made.key]
    const removed = await ask(remove, values)
    const isDone = note('remove', [creation, remove], removed, isSuccess(removed) ? undefined : statusOf(removed))
    if (!isDone) return
    const after = await ask(read, values)
    note('read after removal', [creation, remove, read], after, isGone(after) ? undefined : statusOf(after))
    if (!list) return
    const rest = await ask(list, above)
    const cause =
      isSuccess(rest) && hasKey(rest.value, made.key, made.keyName ?? record.key)
        ? 'the list still has the record'
        : undefined
    note('list after removal', [creation, remove, list], rest, cause)
  }

  /** What belongs to a record that does not exist is refused, if the record itself is. */
  async function observeUnknownParent(collection, above, note) {
    const parent = parentOf(collection)
    const { parameter } = parent?.read ?? {}
    if (parent === undefined || collection.list === undefined) return
    const unknown = makeKey(parameter, above)
    if (unknown === undefined) return
    const values = [...above.slice(0, -1), unknown]
    if (!isGone(await ask(parent.read, values))) return
    const answer = await ask(collection.list, values)
    note('unknown parent', [collection.list, parent.read], answer, isRefused(answer) ? undefined : statusOf(answer))
  }

  async function observeParentRemoval(collection, note) {
    const parent = parentOf(collection)
    if (parent?.remove === undefined) return
    const above = await valuesAbove(collection, { isNew: true })
    if (above === undefined) return
    const made = await create(collection, above)
    if (!isSuccess(made) || made.key === undefined) return
    const values = [...above, made.key]
    if (!isSuccess(await ask(collection.read, values))) return
    const removed = await ask(parent.remove, above)
    if (!isSuccess(removed)) return
    const after = await ask(collection.read, values)
    const operations = [collection.creation, parent.creation, parent.remove, collection.read]
    note('removal of the parent', operations, after, isRefused(after) ? undefined : statusOf(after))
  }

  /** The collection of the last parameter before that of the record. */
  function parentOf({ read, depth }) {
    return depth === 0 ? undefined : observable.get(collectionAt(read, depth - 1))
  }

  /** Values of the parameters of the parents. @param isNew whether the last one must be a new record */
  async function valuesAbove({ read, depth }, { isNew = false } = {}) {
    const names = namesIn(read).slice(0, depth)
    const values = []
    for (const [index, name] of names.entries()) {
      const parameter = read.parameters.find((each) => each.in === 'path' && each.name === name)
      const id = collectionAt(read, index)
      if (isNew && index === depth - 1) {
        const made = await tryCreate(observable.get(id), values)
        return made === undefined ? undefined : [...values, made]
      }
      const place = `${id} ${JSON.stringify(values)}`
      if (!parents.has(place)) parents.set(place, await findParent(id, values, parameter))
      values.push(parents.get(place))
    }
    return values
  }

  /** A new record, one that the list has, or a key by the schema. */
  async function findParent(id, values, parameter) {
    const created = await tryCreate(observable.get(id), values)
    if (created !== undefined) return created
    const list = groups.get(id)?.GET
    if (list && jsonOf(list) !== undefined) {
      const answer = await ask(list, values)
      const keys = createKeys()
      keys.add({ method: 'GET', path: '/list' }, {}, answer.value)
      const takes = (_, each) => [each, String(each)].some((variant) => isValid(parameter.schema, variant))
      const asked = { method: 'GET', path: `/list/{${parameter.name}}`, parameters: [parameter] }
      const found = isSuccess(answer) ? keys.find(asked, takes)[parameter.name] : undefined
      if (found !== undefined) return found
    }
    const made = makeKey(parameter, [])
    const { GET: read } = groups.get(id)?.item ?? {}
    // Where a client can know no parent, nothing below one can be observed.
    if (read && isGone(await ask(read, [...values, made]))) throw new UnknownParent(`${id} gives no key`)
    return made
  }

  async function tryCreate(collection, values) {
    if (collection === undefined) return undefined
    const made = await create(collection, values)
    return isSuccess(made) ? made.key : undefined
  }

  async function create(collection, above) {
    const { creation, key: place, read } = collection
    const takes = (each) =>
      [each, Number(each), String(each)].some((variant) => isValid(read.parameter.schema, variant))
    const key = place.isSent ? makeKey(collection.read.parameter, above) : undefined
    const values = place.isSent ? [...above, key] : above
    const send = (isMinimal, hasOtherKey) => {
      const change = (parts) => {
        if (place.isSent) setKey(collection, creation, parts, key)
        else if (hasOtherKey) setKey(collection, creation, parts, makeKey(collection.read.parameter, []))
      }
      return ask(creation, values, { isMinimal, change })
    }
    let made = await send(false, false)
    if (made.status === 409) made = await send(false, true)
    if (isRefused(made)) made = await send(true, false)
    if (made.status === 409) made = await send(true, true)
    return { ...made, ...(isSuccess(made) && keyOf(place, key, made, takes)) }
  }

  /** Sets the key in a body that has it, to one that its schema allows. */
  function setKey(collection, operation, parts, key) {
    const { key: name } = collection.record
    const place = placeOf(collection, operation, parts)
    if (place === undefined || name === undefined || key === undefined) return
    const record = valueAt(parts.body, place.pointer)
    if (!Object.hasOwn(record, name)) return
    const before = record[name]
    for (const each of [key, String(key), Number(key)]) {
      record[name] = each
      if (schemas.errorsOf(parts.media.schema, parts.body).length === 0) return
    }
    record[name] = before
  }

  /** Changes one value that the read shows, so that an update can be seen. */
  function changeValue(collection, operation, parts) {
    const place = placeOf(collection, operation, parts)
    if (place === undefined) return
    const record = valueAt(parts.body, place.pointer)
    for (const [pointer, value] of expectedOf(collection, place, record)) {
      const holder = valueAt(record, pointer.slice(0, -1))
      for (const other of otherValues(value)) {
        holder[pointer.at(-1)] = other
        const isShown = expectedOf(collection, place, record).some(([, each]) => each === other)
        if (isShown && schemas.errorsOf(parts.media.schema, parts.body).length === 0) return
      }
      holder[pointer.at(-1)] = value
    }
  }

  function placeOf(collection, operation, { body, media }) {
    if (!isObject(body) || media === undefined || media.kind.isXml) return undefined
    const { name, record } = collection
    return compare.placeOf(media.schema ?? bodySchema(operation), body, { name, properties: record.properties })
  }

  /** Keys are the server's or those of the path. */
  function expectedOf({ read, record: { key, properties } }, place, sent) {
    const keys = [key, 'id', ...namesIn(read)].filter((each) => each !== undefined).map(normalize)
    return compare.expectedOf(sent, properties, {
      isLeftOut: (name) => keys.includes(normalize(name)),
      schema: place.schema,
    })
  }

  function differenceOf(collection, operation, { parts }, answer) {
    const place = placeOf(collection, operation, parts)
    const { pointer } = collection.record
    const shown = valueAt(answer.value, pointer)
    if (!isObject(shown)) return 'the read shows no record'
    if (place === undefined) return undefined
    const difference = findDifference(shown, expectedOf(collection, place, valueAt(parts.body, place.pointer)))
    if (difference === undefined) return undefined
    answer.shown.detail = difference.detail
    return difference.what
  }
}

/** The collection that a parameter of a path selects from. */
function collectionAt(operation, index) {
  return toCollection(pathBefore(operation.path, { name: namesIn(operation)[index] }))
}

function keyOf(place, sent, { value, headers }, takes) {
  if (place.isSent) return { key: sent }
  if (place.isLocation) {
    const last = /([^/?#]+)\/?([?#].*)?$/.exec(headers.location ?? '')?.[1]
    return last && { key: decodeURIComponent(last) }
  }
  const records = place.places.map(({ pointer, key }) => ({ record: valueAt(value, pointer), key }))
  const usable = records.filter(({ record, key }) => isObject(record) && isKey(record[key]))
  const found = usable.find(({ record, key }) => takes(record[key])) ?? usable[0]
  return found && { key: found.record[found.key], keyName: found.key }
}

function otherValues(value) {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1]
  return typeof value === 'string' ? ['changed', `${value}x`, value.slice(1)] : []
}

function join(sent, answer) {
  const detail = answer.shown.detail
  return {
    get shown() {
      return { sent: sent.shown.sent, got: answer.shown.got, detail: answer.shown.detail ?? detail }
    },
  }
}

function statusOf({ status, value }) {
  const message = isObject(value) ? findMessage(value) : undefined
  const text = message === undefined ? '' : `: ${message}`
  return `${status === 0 ? 'no answer' : status}${text}`
    .replace(/"[^"]*"|\b\d{3,}\b(?<!^\d{3})|`[^`]*`/g, '…')
    .slice(0, 120)
}

function findMessage(value, depth = 0) {
  if (typeof value === 'string') return value.includes(' ') ? value : undefined
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  return Object.values(value).reduce((found, each) => found ?? findMessage(each, depth + 1), undefined)
}
