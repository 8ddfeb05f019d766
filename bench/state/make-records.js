/** Makes records, and finds those that the path of a collection is below. */
import { createKeys, pathBefore, toCollection } from '../documents/collect-keys.js'
import { isGone, isRefused, isSuccess, namesIn } from './exchange.js'
import { jsonOf } from './find-collections.js'
import { valueAt } from './read-shapes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isKey = (value) => (typeof value === 'string' && value !== '') || typeof value === 'number'

/** No list or creation gives the key of a parent. */
export class UnknownParent extends Error {}

export function createMakeRecords({ groups, observable, ask, makeKey, isValid, setKey }) {
  const parents = new Map()

  return { create, valuesAbove }

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
}

/** The collection that a parameter of a path selects from. */
export function collectionAt(operation, index) {
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
