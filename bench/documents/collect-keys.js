/** Collects keys of records from the answers of lists and creations, for the paths that need them. */

/** Where the key of a record is, if it is not under the name of the parameter. */
const usualNames = new Set(['uuid', 'oid', 'key', 'name', 'slug', 'code', 'sid', 'number', 'login', 'username'])
const greatestDepth = 3
/** Names of properties by which procedures select a record. */
export const keyLike = /(id|name|arn|key|identifier|number|code|slug|handle)$/i
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const isKey = (value) => (typeof value === 'string' && value !== '') || typeof value === 'number'
export const normalize = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

export function createKeys() {
  /** Records by collection: `{ values, candidates }`, where values are those of the path of the answer. */
  const known = new Map()
  const removed = new Set()
  /** Texts and numbers of records, by the name of their property. */
  const byName = new Map()

  const hasRecords = (collection) => known.has(collection)

  return {
    /** Adds the records in a success body. */
    add({ method, path }, values, body) {
      // A creation returns one record, which may be wrapped, or a list of one.
      const records = method === 'GET' ? recordsIn(body).map(withWrapped) : [[...withWrapped(body), ...recordsIn(body)]]
      const collection = toCollection(path)
      const list = known.get(collection) ?? []
      list.push(...records.filter((candidates) => candidates.length > 0).map((candidates) => ({ values, candidates })))
      if (list.length > 0) known.set(collection, list)
      for (const { noun, record } of namedRecords(body)) {
        for (const [name, value] of Object.entries(record)) {
          if (!keyLike.test(name) || !isKey(value)) continue
          for (const key of [normalize(name), `${noun} ${normalize(name)}`])
            if (!byName.has(key)) byName.set(key, value)
        }
      }
    },

    /**
     * The value of a property that selects a record of a noun, as an answer gave it: under the name of the noun, else
     * anywhere, if the name says of what it is the key.
     */
    valueOf(name, noun) {
      if (!keyLike.test(name)) return undefined
      const bare = normalize(name)
      const own = byName.get(`${noun} ${bare}`) ?? byName.get(`${noun} ${bare.replace(noun, '')}`)
      return own ?? (/^(id|name|arn|key|identifier)$/.test(bare) ? undefined : byName.get(bare))
    },

    /** Whether answers gave records of the collection that the last parameter of a path selects from. */
    hasRecords: (operation) => hasRecords(collectionOf(operation)),

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
        for (const { values, candidates } of method === 'DELETE' ? entries.toReversed() : entries) {
          if (Object.entries(found).some(([name, value]) => name in values && values[name] !== value)) continue
          const key = keyOf(candidates, parameter, isUsable, nounOf(collection))
          if (key === undefined || removed.has(`${collection} ${key}`)) continue
          Object.assign(found, { ...values, [parameter.name]: key, ...found })
          break
        }
        if (parameter.name in found || hasRecords(collection)) continue
        // A list somewhere else may show the key under a name that says of what it is one.
        const shown = this.valueOf(parameter.name, nounOf(collection))
        const isGone = removed.has(`${collection} ${shown}`)
        if (shown !== undefined && !isGone && isUsable(parameter, shown)) found[parameter.name] = shown
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

/** The objects in a body, with the noun under whose name they are. */
function namedRecords(body, noun = '', depth = 0) {
  if (Array.isArray(body)) return body.flatMap((each) => namedRecords(each, noun, depth))
  if (!isObject(body) || depth > greatestDepth) return []
  const inner = Object.entries(body).flatMap(([name, value]) => namedRecords(value, nounOfName(name), depth + 1))
  return [{ noun, record: body }, ...inner]
}

/** What a procedure is about: of `/#Target=Service.DeleteAppBlock` it is `appblock`. */
export function nounOfProcedure(path) {
  const name = path.replace(/^.*[/.=#]/, '')
  return nounOfName(name.replace(/^[A-Z]?[a-z]+(?=[A-Z_-])/, ''))
}

/** A value, and the objects in it, of which one may be the record. */
function withWrapped(value) {
  if (!isObject(value)) return isKey(value) ? [value] : []
  return [value, ...Object.values(value).filter(isObject)]
}

/** The names under which a key may be, the surest first: of each the first candidate that has it decides. */
function keyOf(candidates, parameter, isUsable, noun) {
  const isFitting = (value) => isKey(value) && isUsable(parameter, value)
  for (const isNamed of [...keyNames(parameter), (name) => isIdOf(name, noun)]) {
    for (const candidate of candidates.filter(isObject)) {
      const key = Object.entries(candidate).find(([name, value]) => isNamed(name) && isFitting(value))
      if (key) return key[1]
    }
  }
  return candidates.find(isFitting)
}

/** What a collection holds, in the singular. */
function nounOf(collection) {
  return normalize(collection.slice(collection.lastIndexOf('/')))
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
}

/** What a property or a procedure is about: of `ServiceSummaryList` it is `service`. */
function nounOfName(name) {
  return nounOf(`/${name}`).replace(/(?<=.)(summary|detail|info|metadata|item|entry)?(list|set)?$/, '')
}

/** Of life insurance policies it is `lifeInsurancePolicyId`, or `policyId`; of versions it may be the `version`. */
function isIdOf(name, noun) {
  const bare = normalize(name)
  return bare === noun || (bare.length > 2 && bare.endsWith('id') && noun.endsWith(bare.slice(0, -2)))
}

/** @returns functions that accept names of properties in which the key of a parameter may be, the surest first */
export function keyNames(parameter) {
  const wanted = normalize(parameter.name)
  const isEnding = (name) => normalize(name) !== '' && wanted.endsWith(normalize(name))
  const isId = (name) => name === 'id'
  return [
    (name) => normalize(name) === wanted,
    // Of `{bookName}` it is `name`, also beside an `id`.
    ...(wanted.endsWith('id') ? [isId, isEnding] : [isEnding, isId]),
    (name) => usualNames.has(normalize(name)),
  ]
}

/** Whether an operation may give keys that another one needs. */
export function givesKeysTo(giver, operation) {
  return ['GET', 'POST'].includes(giver.method) && toCollection(giver.path) === collectionOf(operation)
}

function collectionOf(operation) {
  const last = lastParameter(operation)
  return last && toCollection(pathBefore(operation.path, last))
}

export function lastParameter({ path, parameters }) {
  const [, name] = /\{([^{}]+)\}[^{}]*$/.exec(path) ?? []
  return parameters.find((each) => each.in === 'path' && each.name === name)
}

/** The path up to the segment of a parameter. */
export function pathBefore(path, { name }) {
  const before = path.slice(0, path.indexOf(`{${name}}`))
  return before.slice(0, before.lastIndexOf('/'))
}

/** A path without what does not name the collection. Names of parameters do not count. */
export function toCollection(path) {
  return path
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/\.(json|xml)$/, '')
    .replace(/\/$/, '')
}
