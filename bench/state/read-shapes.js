/** Reads from schemas where a record is in a body, and where its key is. */
import { keyNames, normalize } from '../documents/collect-keys.js'

const greatestDepth = 8
const greatestListDepth = 3
/** Names of properties that hold any record. */
const generic = new Set(
  'data result item response payload body d record entity value resource object content'.split(' '),
)
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value) => typeof value === 'string' || typeof value === 'number'

export function createShapes({ resolve }) {
  /** Returns the properties of a schema and its parts, and the schema of its items. */
  function flatten(schema, depth = 0) {
    const whole = resolve(schema)
    const flat = { properties: new Map(), items: undefined, isObject: false }
    if (!isObject(whole) || depth > greatestDepth) return flat
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => (Array.isArray(whole[name]) ? whole[name] : []))
    for (const part of parts.map((each) => flatten(each, depth + 1))) {
      for (const [name, property] of part.properties) flat.properties.set(name, property)
      flat.items ??= part.items
      flat.isObject ||= part.isObject
    }
    if (isObject(whole.properties)) {
      for (const [name, property] of Object.entries(whole.properties)) flat.properties.set(name, property)
    }
    if (isObject(whole.items)) flat.items = whole.items
    flat.isObject ||= whole.type === 'object' || flat.properties.size > 0
    return flat
  }

  /** Returns the places in a body that may hold the record, as `{ pointer, properties }`: the body, and what it wraps. */
  function placesIn(schema, name, pointer = []) {
    const { properties, items } = flatten(schema)
    if (items !== undefined) return pointer.length > 1 ? [] : placesIn(items, name, [...pointer, 0])
    const wrapped = [...properties].filter(([property, each]) => {
      if (pointer.length > 1 || !isWrapper(property, name)) return false
      const flat = flatten(each)
      return flat.isObject || flat.items !== undefined
    })
    const inner = wrapped.flatMap(([property, each]) => placesIn(each, name, [...pointer, property]))
    return [{ pointer, properties }, ...inner]
  }

  /** Returns the records with a key for the parameter, the surest first, as `{ pointer, key, tier, properties }`. */
  function findRecords(schema, parameter, name) {
    const tiers = keyNames(parameter)
    const found = placesIn(schema, name).flatMap(({ pointer, properties }) =>
      [...properties].flatMap(([key, each]) => {
        const tier = tiers.findIndex((isNamed) => isNamed(key))
        return tier === -1 || !isKeySchema(each) ? [] : [{ pointer, key, tier, properties }]
      }),
    )
    // A `code` beside the record is that of the answer, unless it has the whole name of the parameter.
    const isOutside = ({ pointer, tier }) =>
      tier > 0 && found.some((other) => other.pointer.length > pointer.length && !other.pointer.includes(0))
    const inside = found.filter((each) => !isOutside(each))
    return inside.toSorted((one, other) => rank(one, parameter) - rank(other, parameter))
  }

  /** Whether a body may have many records: in an array, or in an object by their keys. */
  function hasList(schema, depth = 0) {
    const whole = resolve(schema)
    const { properties, items, isObject: isKnown } = flatten(schema)
    const isMap = properties.size === 0 && (isObject(whole?.additionalProperties) || !isKnown)
    if (items !== undefined || isMap) return true
    return depth < greatestListDepth && [...properties.values()].some((each) => holdsList(each, depth + 1))
  }

  function holdsList(schema, depth) {
    const { properties, items } = flatten(schema)
    return items !== undefined || (properties.size > 0 && hasList(schema, depth))
  }

  function isKeySchema(schema) {
    const whole = resolve(schema) ?? {}
    const types = [whole.type ?? []].flat()
    return types.length === 0
      ? flatten(schema).properties.size === 0 && whole.items === undefined
      : types.some((type) => ['string', 'integer', 'number'].includes(type))
  }

  return { flatten, placesIn, findRecords, hasList }
}

/** The whole name, then the longest end of it: of `{mock_uid}` it is `uid`, not `id`. */
function rank({ key, tier }, parameter) {
  if (tier === 0) return 0
  const isEnd = normalize(parameter.name).endsWith(normalize(key))
  return isEnd ? 100 - key.length : 100 + tier
}

/** @param name the last segment of the path of the collection */
function isWrapper(property, name) {
  const [one, other] = [normalize(property), normalize(name)]
  return generic.has(one) || (one.length > 2 && (other.startsWith(one.slice(0, -1)) || other.endsWith(one)))
}

/** Returns the value at a pointer. Of a list of one it is the record, also where the pointer names none. */
export function valueAt(body, pointer) {
  return pointer.reduce((value, name) => (isObject(value) || Array.isArray(value) ? value[name] : undefined), body)
}

/**
 * Whether a list has the record with a key: as a property of an item or of what it wraps, as the name of an object, or
 * as a text.
 * @param name of the property; any if undefined
 */
export function hasKey(value, key, name, depth = 0) {
  if (depth > greatestListDepth) return false
  const isIt = (each) => isScalar(each) && String(each) === String(key)
  // Items of a list may have only an `id` where the record has its whole name.
  const isNamed = (property, each) => property === name || (property === 'id' && !Object.hasOwn(each, name))
  const isRecord = (each) =>
    isObject(each) &&
    Object.entries(each).some(([property, own]) => (name === undefined || isNamed(property, each)) && isIt(own))
  // What an item with a key has inside are other records.
  const isWrapping = (each) => isObject(each) && (name === undefined || !Object.hasOwn(each, name))
  if (Array.isArray(value)) {
    return value.some(
      (each) => isIt(each) || isRecord(each) || (isWrapping(each) && Object.values(each).some(isRecord)),
    )
  }
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([property, each]) => (property === String(key) && isObject(each)) || hasKey(each, key, name, depth + 1),
  )
}
