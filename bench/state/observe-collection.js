/** Creates, reads, lists, updates and removes a record of a collection, and notes in which step the server disagrees. */
import { isGone, isRefused, isSuccess } from './exchange.js'
import { collectionAt, createMakeRecords } from './make-records.js'
import { hasKey } from './read-shapes.js'
import { createSentRecords } from './sent-records.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const sizes =
  /^(limit|per_?page|page_?size|page\[size\]|size|count|max_?results|max_?items|\$?top|first|rows|maxresults)$/i
const pages = /^(page|page_?number|page\[number\]|page_?no|page_?index)$/i
const greatestPage = 5

/** The step in which nothing more can be observed. */
class Stopped extends Error {}

export function createObserve({ groups, observable, ask, makeKey, isValid, compare, schemas }) {
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
