/** Decides from a document alone which operations search by a body, and which parts of the body filter by a property of the records. */
import { normalize } from '../documents/collect-keys.js'
import { findLists } from './find-lists.js'

const greatestDepth = 6
/** Names of objects that only hold conditions. */
const wrappers = new Set(
  'query filter filters where criteria search searchcriteria conditions options body data params'.split(' '),
)
/** Operators that other documents write as a suffix of a name. */
const operators = {
  ...{
    exact: 'eq',
    equals: 'eq',
    equal: 'eq',
    is: 'eq',
    eq: 'eq',
    startat: 'gte',
    endat: 'lte',
    gte: 'gte',
    lte: 'lte',
  },
  ...{ gt: 'gt', lt: 'lt', min: 'min', max: 'max', from: 'from', to: 'to', after: 'after', before: 'before' },
  ...{ start: 'from', end: 'to', minimum: 'min', maximum: 'max' },
}
const roles = {
  field: /^(property|field|attribute|column)(name|key|id)?$/,
  operator: /^(operator|op|comparator|comparison|matchtype)$/,
  value: /^value$/,
}
const equal = /^(eq|equals?|is|=|==|equal_?to)$/i
const isSaid = /(^|[^a-z])(search|query|find|filter|lookup)/i

const isJson = ({ type, schema }) => /^[^;]*[/+]json\b/i.test(type) && schema !== undefined

/** @returns operations whose name says that they search, and whose answer is a list, with `schema`, that of the body */
export function findSearches(operations, tools) {
  return operations.flatMap((operation) => {
    const { method, path, operationId = '', body } = operation
    const last = path.split(/[/:]/).at(-1)
    const words = operationId.replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    const { schema } = body?.media.find(isJson) ?? {}
    if (method !== 'POST' || schema === undefined || ![last, words].some((each) => isSaid.test(each))) return []
    const above = path.replace(/[/:][^/:{}]*$/, '')
    const { lists } = findLists([{ ...operation, method: 'GET', path: above === '' ? path : above }], tools)
    return lists.map((list) => ({ ...list, operation, schema }))
  })
}

/**
 * The parts of a body that may filter, as parameters of a query.
 * @returns `{ name, in, schema, description, put }`, where `put` adds a value to a body
 */
export function findLeaves(search, { shapes, resolve }) {
  const found = []
  visit(search.schema, [], 0)
  return found

  function visit(schema, path, depth) {
    const { properties, items } = shapes.flatten(schema)
    const { description = '' } = resolve(schema) ?? {}
    if (depth > greatestDepth) return
    if (items !== undefined) {
      if (shapes.flatten(items).isObject) visit(items, [...path, 0], depth + 1)
      else add(path, items, description, (value) => [value])
      return
    }
    if (properties.size === 0) return add(path, schema, description, (value) => value)
    const named = (role) => [...properties.keys()].find((name) => roles[role].test(normalize(name)))
    const [field, operator, value] = ['field', 'operator', 'value'].map(named)
    if (field !== undefined && value !== undefined) addConditions(path, properties, { field, operator, value })
    else for (const [name, each] of properties) visit(each, [...path, name], depth + 1)
  }

  function add(path, schema, description, toSent) {
    const names = path.filter((name) => name !== 0 && !wrappers.has(normalize(name)))
    if (names.length === 0 && path.length !== 1) return
    const own = names.length > 1 && operators[normalize(names.at(-1))]
    // What is deeper is about a part of the record.
    if (names.length > (own ? 2 : 1)) return
    const name = names.length === 0 ? path[0] : own ? `${names[0]}.${own}` : names[0]
    found.push({ in: 'query', name, path, schema, description, put: (body, value) => put(body, path, toSent(value)) })
  }

  /** A condition that names the property, which may be any of the records. */
  function addConditions(path, properties, { field, operator, value }) {
    const { enum: names } = resolve(properties.get(field)) ?? {}
    const { enum: allowed } = operator === undefined ? {} : (resolve(properties.get(operator)) ?? {})
    const chosen = operator === undefined ? undefined : (allowed?.find((each) => equal.test(each)) ?? '=')
    for (const name of search.properties.keys()) {
      if (names && !names.includes(name)) continue
      const condition = (sent) => ({ [field]: name, ...(operator && { [operator]: chosen }), [value]: sent })
      const add = (body, sent) => put(body, path, condition(sent))
      found.push({ in: 'query', name, path, schema: properties.get(value), description: '', put: add })
    }
  }
}

/** @returns a copy of a body with a value at a path */
function put(body, [name, ...rest], value) {
  if (name === undefined) return value
  const inner = put(body?.[name], rest, value)
  if (name === 0) return [inner]
  return { ...body, [name]: inner }
}
