/** Compares what was sent with what a read shows, as far as the document describes both in the same way. */
import { valueAt } from './read-shapes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** The service writes it, also where a document lets callers send it, because its schema is that of answers. */
const isWritten = (name) => /^_?e_?tag$/i.test(name)
const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)

/** @param schemas those of responses */
export function createCompare({ resolve, shapes, schemas }) {
  /** Returns pairs of a pointer below the record and the value that must be there. */
  function expectedOf(sent, properties, { isLeftOut = () => false, schema }, pointer = []) {
    if (!isObject(sent) || pointer.length > 3) return []
    const written = schema === undefined ? new Map() : shapes.flatten(schema).properties
    return Object.entries(sent).flatMap(([name, value]) => {
      const shown = properties.get(name)
      if (shown === undefined || isLeftOut(name) || isWritten(name) || isHidden(shown) || isHidden(written.get(name)))
        return []
      const below = [...pointer, name]
      if (isObject(value)) {
        const inner = shapes.flatten(shown)
        return inner.items === undefined
          ? expectedOf(value, inner.properties, { schema: written.get(name) }, below)
          : []
      }
      const isPlain = isScalar(value) || (Array.isArray(value) && value.every(isScalar))
      if (!isPlain || value === '' || !isValid(shown, value)) return []
      return [[below, value]]
    })
  }

  function isHidden(schema) {
    const whole = resolve(schema)
    const format = String(whole?.format)
    return whole?.readOnly === true || whole?.writeOnly === true || format === 'password' || format === 'binary'
  }

  function isValid(schema, value) {
    try {
      return schemas.errorsOf(schema, value).length === 0
    } catch {
      return false
    }
  }

  /** Where the record is in a sent body: the part that shares most names with what is shown. */
  function placeOf(schema, body, { name, properties }) {
    const places = shapes.placesIn(schema, name).map(({ pointer, properties: written }) => {
      const shared = [...written.keys()].filter((each) => properties.has(each)).length
      return { pointer, schema: schemaAt(schema, pointer), shared }
    })
    const best = places.toSorted((one, other) => other.shared - one.shared)[0]
    return best !== undefined && isObject(valueAt(body, best.pointer)) ? best : undefined
  }

  function schemaAt(schema, pointer) {
    return pointer.reduce((each, name) => {
      const { items, properties } = shapes.flatten(each)
      return name === 0 ? items : properties.get(name)
    }, schema)
  }

  return { expectedOf, placeOf }
}

/** @returns the first pair that differs, in words */
export function findDifference(record, expected) {
  for (const [pointer, value] of expected) {
    const shown = valueAt(record, pointer)
    if (!isSame(shown, value)) {
      const [sent, got] = [value, shown].map((each) => JSON.stringify(each)?.slice(0, 80))
      return {
        what: shown === undefined ? 'left out' : 'another value',
        detail: `${pointer.join('.')}: sent ${sent}, got ${got}`,
      }
    }
  }
}

function isSame(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]))
  }
  if (String(one) === String(other)) return true
  const isTime = [one, other].every((each) => typeof each === 'string' && /^\d{4}-\d\d-\d\d/.test(each))
  return isTime && Date.parse(one) === Date.parse(other)
}
