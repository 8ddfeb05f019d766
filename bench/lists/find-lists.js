/** Decides from a document alone which operations answer with a list of records, and where in the body it is. */
import { normalize } from '../documents/collect-keys.js'
import { jsonOf, success } from '../state/find-collections.js'
import { isAround } from './name-fields.js'

const greatestDepth = 3
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const toSet = (text) => new Set(text.split(' '))

/** Names of properties that hold the records of any list. */
const generic = toSet(
  'data items item results result values value records record entries list elements content contents resources objects ' +
    'rows docs documents hits collection edges members nodes',
)
/** Names of properties that hold something beside the records. */
const beside = toSet('links errors warnings included facets aggregations messages notifications actions meta debug')
/** Names of properties that wrap a list. */
const wrappers = toSet('data result results response payload body embedded content d page output list collection')

/**
 * @param shapes what `createShapes` returns
 * @returns `{ lists, unclear }`: operations with `pointer`, `properties` and `fields`, and those with several arrays
 */
export function findLists(operations, { shapes, resolve }) {
  const lists = []
  const unclear = []
  for (const operation of operations) {
    if (operation.method !== 'GET' || /[?#]/.test(operation.path)) continue
    const schema = jsonOf(operation)
    if (schema === undefined) continue
    const found = findArray(schema, nounsOf(operation), { shapes, isRecord: /\}[^/{}]*\/?$/.test(operation.path) })
    if (found === undefined) continue
    if (found === 'unclear') {
      unclear.push(operation.id)
      continue
    }
    const { pointer, items } = found
    const fields = [...fieldsOf(schema, pointer, { shapes, resolve }), ...headersOf(operation, resolve)]
    lists.push({ operation, pointer, properties: propertiesOf(items, { shapes, resolve }), fields })
  }
  return { lists, unclear }
}

/** The last words of a path. */
function nounsOf({ path }) {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .slice(-1)
    .map((segment) => normalize(segment.replace(/\.(json|xml)$/, '')))
}

/** @param isRecord whether the path ends in a key, so that the body is a record, unless it is an array */
function findArray(schema, nouns, { shapes, isRecord }, pointer = []) {
  const { properties, items } = shapes.flatten(schema)
  if (items !== undefined) return shapes.flatten(items).isObject ? { pointer, items } : undefined
  if (pointer.length === greatestDepth || isRecord) return undefined
  const arrays = [...properties].flatMap(([name, each]) => {
    const own = shapes.flatten(each).items
    const isList = own !== undefined && shapes.flatten(own).isObject && !beside.has(normalize(name))
    return isList ? [{ name, items: own }] : []
  })
  const evident = arrays.filter(({ name }) => isEvident(name, nouns))
  // What has a key of its own is a record.
  const chosen = evident.length > 0 ? evident : hasKey(properties) ? [] : arrays
  if (chosen.length === 1) return { pointer: [...pointer, chosen[0].name], items: chosen[0].items }
  if (chosen.length > 1) return 'unclear'
  if (arrays.length > 0) return undefined
  const inner = [...properties].filter(([name, each]) => {
    const { isObject: isKnown, items: own } = shapes.flatten(each)
    return isKnown && own === undefined && (wrappers.has(normalize(name)) || isEvident(name, nouns))
  })
  const found = inner.flatMap(([name, each]) => findArray(each, nouns, { shapes, isRecord }, [...pointer, name]) ?? [])
  return found.length > 1 ? 'unclear' : found[0]
}

function isEvident(name, nouns) {
  const bare = normalize(name)
  return generic.has(bare) || nouns.some((noun) => bare.length > 2 && (noun.endsWith(bare) || bare.endsWith(noun)))
}

function hasKey(properties) {
  return [...properties.keys()].some((name) => /^(id|uuid|guid|_id)$/i.test(name))
}

/** Scalars of a record, by name; those below `attributes` too. */
function propertiesOf(items, { shapes, resolve }) {
  const found = new Map()
  const add = (schema, above) => {
    for (const [name, each] of shapes.flatten(schema).properties) {
      if (isScalar(each, { shapes, resolve })) found.set([...above, name].join('.'), [...above, name])
      else if (name === 'attributes' && above.length === 0) add(each, [name])
    }
  }
  add(items, [])
  return found
}

export function isScalar(schema, { shapes, resolve }) {
  const { properties, items, isObject: isKnown } = shapes.flatten(schema)
  const whole = resolve(schema)
  return isObject(whole) && properties.size === 0 && items === undefined && !isKnown && whole.type !== 'array'
}

/** Scalars around the array, as `{ pointer, schema }`. */
function fieldsOf(schema, pointer, { shapes, resolve }, above = []) {
  if (above.length > greatestDepth) return []
  const { properties, items } = shapes.flatten(schema)
  if (items !== undefined) return []
  return [...properties].flatMap(([name, each]) => {
    const place = [...above, name]
    if (isScalar(each, { shapes, resolve })) return [{ pointer: place, schema: resolve(each) }]
    return isAround(place, pointer) ? fieldsOf(each, pointer, { shapes, resolve }, place) : []
  })
}

function headersOf(operation, resolve) {
  return success(operation).headers.map(({ name, schema }) => ({
    header: name,
    pointer: [name],
    schema: resolve(schema),
  }))
}
