/** Collects keys of records from the answers of lists and creations, for the paths that need them. */

/** Where the key of a record is, if it is not under the name of the parameter. */
const usualNames = ['id', 'uuid', 'key', 'name', 'slug', 'code', 'sid', 'number', 'login', 'username']
const greatestDepth = 3
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isKey = (value) => (typeof value === 'string' && value !== '') || typeof value === 'number'
const normalize = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

export function createKeys() {
  /** Records by collection: `{ values, record, isCreated }`, where values are those of the path of the answer. */
  const known = new Map()
  const removed = new Set()

  return {
    /** Adds the records in a success body. */
    add({ method, path }, values, body) {
      const records = method === 'GET' ? recordsIn(body) : [...recordsOf(body), ...recordsIn(body)]
      const collection = toCollection(path)
      const list = known.get(collection) ?? []
      list.push(...records.map((record) => ({ values, record, isCreated: method !== 'GET' })))
      if (list.length > 0) known.set(collection, list)
    },

    /** Whether answers gave records of the collection that the last parameter of a path selects from. */
    hasRecords: (operation) => known.has(collectionOf(operation)),

    /** The key that was removed is not used again. */
    remove(operation, values) {
      const last = lastParameter(operation)
      if (last) removed.add(`${collectionOf(operation)} ${values[last.name]}`)
    },

    /**
     * Returns values of path parameters that answers gave, those of one record and its parents.
     * @param isUsable whether a parameter takes a value
     */
    find({ method, path, parameters }, isUsable) {
      const inOrder = parameters
        .filter((each) => each.in === 'path')
        .sort((one, other) => path.indexOf(`{${one.name}}`) - path.indexOf(`{${other.name}}`))
      const found = {}
      for (const parameter of inOrder.toReversed()) {
        if (parameter.name in found) continue
        const collection = toCollection(pathBefore(path, parameter))
        const entries = known.get(collection) ?? []
        // What was created here is removed, and what was listed is read.
        for (const { values, record } of method === 'DELETE' ? entries.toReversed() : entries) {
          if (Object.entries(found).some(([name, value]) => name in values && values[name] !== value)) continue
          const key = keyOf(record, parameter, isUsable)
          if (key === undefined || removed.has(`${collection} ${key}`)) continue
          Object.assign(found, { ...values, [parameter.name]: key, ...found })
          break
        }
      }
      return found
    },
  }
}

/** Objects, texts and numbers in the arrays of a body. */
function recordsIn(body, depth = 0) {
  if (Array.isArray(body)) return body.filter((each) => isObject(each) || isKey(each))
  if (!isObject(body) || depth === greatestDepth) return []
  return Object.values(body).flatMap((each) => recordsIn(each, depth + 1))
}

/** The record that a creation returns: the body, or what it wraps. */
function recordsOf(body) {
  if (!isObject(body)) return isKey(body) ? [body] : []
  return [body, ...Object.values(body).filter(isObject)]
}

function keyOf(record, parameter, isUsable) {
  if (!isObject(record)) return isUsable(parameter, record) ? record : undefined
  const wanted = normalize(parameter.name)
  const names = Object.keys(record)
  const own = names.filter((name) => normalize(name) === wanted)
  const endings = names.filter((name) => wanted.endsWith(normalize(name)) && normalize(name) !== '')
  const usual = usualNames.filter((name) => name in record)
  return [...own, ...usual.slice(0, 1), ...endings, ...usual]
    .map((name) => record[name])
    .find((value) => isKey(value) && isUsable(parameter, value))
}

/** Whether an operation may give keys that another one needs. */
export function givesKeysTo(giver, operation) {
  return ['GET', 'POST'].includes(giver.method) && toCollection(giver.path) === collectionOf(operation)
}

function collectionOf(operation) {
  const last = lastParameter(operation)
  return last && toCollection(pathBefore(operation.path, last))
}

function lastParameter({ path, parameters }) {
  const [, name] = /\{([^{}]+)\}[^{}]*$/.exec(path) ?? []
  return parameters.find((each) => each.in === 'path' && each.name === name)
}

/** The path up to the segment of a parameter. */
function pathBefore(path, { name }) {
  const before = path.slice(0, path.indexOf(`{${name}}`))
  return before.slice(0, before.lastIndexOf('/'))
}

/** A path without what does not name the collection. Names of parameters do not count. */
function toCollection(path) {
  return path
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/\.(json|xml)$/, '')
    .replace(/\/$/, '')
}
