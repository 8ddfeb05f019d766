/** Changes what is sent, and compares it with what a read shows. */
import { normalize } from '../documents/collect-keys.js'
import { findDifference } from './compare-values.js'
import { namesIn } from './exchange.js'
import { bodySchema } from './find-collections.js'
import { valueAt } from './read-shapes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param schemas those of requests */
export function createSentRecords({ compare, schemas }) {
  return { setKey, changeValue, differenceOf }

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

function otherValues(value) {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1]
  return typeof value === 'string' ? ['changed', `${value}x`, value.slice(1)] : []
}
