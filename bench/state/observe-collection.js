/** Creates, reads, lists, updates and removes a record of a collection, and notes in which step the server disagrees. */
import { isGone, isRefused, isSuccess } from './exchange.js'
import { jsonOf } from './find-collections.js'
import { collectionAt, createMakeRecords, UnknownParent } from './make-records.js'
import { hasKey } from './read-shapes.js'
import { createSentRecords } from './sent-records.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const sizes =
  /^(limit|per_?page|page_?size|page\[size\]|size|count|max_?results|max_?items|\$?top|first|rows|maxresults)$/i
const pages = /^(page|page_?number|page\[number\]|page_?no|page_?index)$/i
const greatestPage = 5

/** The step in which nothing more can be observed. */
class Stopped extends Error {}

/** @param schemas those of requests @param answers those of responses */
export function createObserve({ groups, observable, ask, makeKey, isValid, compare, schemas, answers }) {
  const { setKey, changeValue, differenceOf } = createSentRecords({ compare, schemas })
  const { create, valuesAbove } = createMakeRecords({ groups, observable, ask, makeKey, isValid, setKey })

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
    // No read tells whether the parent exists, and its own creation was not observed.
    if (isGone(made) && isUnreadable(collection)) throw new UnknownParent(`a parent of ${read.path} gives no key`)
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

  async function observeList(collection, above, { key, keyName }, note) {
    const { creation, list, record } = collection
    const name = toName(collection, keyName)
    const found = await findInList(list, above, (value) => hasKey(value, key, name))
    // Where the schema of the list allows no item with the key, no service can show it.
    if (isSuccess(found) && !found.isFound && !allows(list, found.value, name ?? record.key, key)) return
    const cause = !isSuccess(found) ? statusOf(found) : found.isFound ? undefined : 'the list does not have the record'
    note('list', [creation, list], found, cause)
  }

  /** The property of the key. A key that we made is in no other record, so any property may have it. */
  function toName({ creation, record }, keyName) {
    return creation.method === 'PUT' ? undefined : (keyName ?? record.key)
  }

  function allows(list, value, name, key) {
    const schema = jsonOf(list)
    const isValidList = (each) => answers.errorsOf(schema, each).length === 0
    return (
      !isValidList(value) || [key, String(key), Number(key)].some((each) => isValidList(addToItems(value, name, each)))
    )
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
      setCondition(parts, first)
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

  async function observeRemoval(collection, above, made, note) {
    const { creation, remove, read, list } = collection
    const values = [...above, made.key]
    // An ETag that nobody has sent is refused with 412, and should be.
    const before = await ask(read, values)
    const removed = await ask(remove, values, { change: (parts) => setCondition(parts, before) })
    const isDone = note('remove', [creation, remove], removed, isSuccess(removed) ? undefined : statusOf(removed))
    if (!isDone) return
    const after = await ask(read, values)
    note('read after removal', [creation, remove, read], after, isGone(after) ? undefined : statusOf(after))
    if (!list) return
    const rest = await ask(list, above)
    const cause =
      isSuccess(rest) && hasKey(rest.value, made.key, toName(collection, made.keyName))
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
    const removed = await ask(parent.remove, above, { change: (parts) => setCondition(parts) })
    if (!isSuccess(removed)) return
    const after = await ask(collection.read, values)
    const operations = [collection.creation, parent.creation, parent.remove, collection.read]
    note('removal of the parent', operations, after, isRefused(after) ? undefined : statusOf(after))
  }

  /** Whether a parent is created by clients, and nothing reads it. */
  function isUnreadable({ read, depth }) {
    const above = Array.from({ length: depth }, (_, index) => groups.get(collectionAt(read, index)))
    return above.some((group) => group?.POST !== undefined && group.item.GET === undefined)
  }

  /** The collection of the last parameter before that of the record. */
  function parentOf({ read, depth }) {
    return depth === 0 ? undefined : observable.get(collectionAt(read, depth - 1))
  }
}

/** A list with a property in each of its items. */
function addToItems(value, name, own, depth = 0) {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? { ...item, [name]: own } : item))
  if (!isObject(value) || depth > 2) return value
  return Object.fromEntries(
    Object.entries(value).map(([each, inner]) => [each, addToItems(inner, name, own, depth + 1)]),
  )
}

/** Puts the ETag of the last read where a request requires one. */
function setCondition({ parameters }, { headers } = { headers: {} }) {
  for (const parameter of parameters.keys()) {
    const isCondition = parameter.in === 'header' && /^if-match$/i.test(parameter.name)
    if (isCondition) parameters.set(parameter, headers.etag ?? '*')
  }
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
