/** Decides from a document alone which collections can be observed: what is created in them can be read by its key. */
import { lastParameter, pathBefore, toCollection } from '../documents/collect-keys.js'
import { successesOf } from '../documents/judge.js'

const isJson = ({ type }) => /^[^;]*[/+]json\b|^\*\/\*/i.test(type)
const ofPath = ({ path }) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name)

/** What a PUT documents if it also creates. */
const creating = /\b(creates?|adds?|upserts?|registers?)\b/i

/** @returns the operations of each collection with a list or a record, by the path without names of parameters */
export function groupOperations(operations) {
  const groups = new Map()
  const at = (path) => {
    const id = toCollection(path)
    if (!groups.has(id)) groups.set(id, { id, item: {} })
    return groups.get(id)
  }
  for (const operation of operations) {
    const { method, path } = operation
    if (/[?#]/.test(path)) continue
    const parameter = /\/\{[^{}/]+\}(\.json)?\/?$/.test(path) ? lastParameter(operation) : undefined
    if (parameter !== undefined) {
      const group = at(pathBefore(path, parameter))
      group.item[method] ??= { ...operation, parameter }
    } else if (method === 'GET' || method === 'POST') {
      at(path)[method] ??= operation
    }
  }
  return groups
}

/**
 * @param shapes what `createShapes` returns
 * @returns `{ observable, groups }`, the operations of each with `depth`, the record of the creation and of the read
 */
export function findCollections(operations, shapes) {
  const groups = groupOperations(operations)
  const observable = [...groups.values()].flatMap((group) => toObservable(group, shapes) ?? [])
  return { groups, observable: new Map(observable.map((each) => [each.id, each])) }
}

function toObservable({ id, GET: list, POST: post, item }, shapes) {
  const { GET: read, PUT: put, PATCH: patch, DELETE: remove } = item
  // A path of only one parameter names no collection.
  if (read === undefined || id === '' || !sameNames(read)) return undefined
  const name = id.split('/').findLast((segment) => segment !== '' && segment !== '{}') ?? ''
  const schema = jsonOf(read)
  if (schema === undefined || shapes.flatten(schema).items !== undefined) return undefined
  const { parameter } = read
  const [found] = shapes.findRecords(schema, parameter, name)
  const isPut = post === undefined && put !== undefined && isCreating(put)
  const creation = post ?? (isPut ? put : undefined)
  if (creation === undefined || !sameNames(creation) || success(creation) === undefined) return undefined
  const key = isPut ? { isSent: true } : keyOfCreation(creation, { parameter, name, shapes, found })
  if (key === undefined) return undefined
  const record = found ?? { pointer: [], properties: shapes.flatten(schema).properties }
  const updates = [...(isPut || put === undefined ? [] : [put]), ...(patch === undefined ? [] : [patch])]
  return {
    id,
    name,
    depth: ofPath(read).length - 1,
    creation,
    key,
    read,
    record,
    // A list that requires a property of the records filters by it.
    list: list && isList(list, shapes) && !filters(list, record) ? list : undefined,
    updates: updates.filter((each) => success(each) !== undefined && bodySchema(each) !== undefined),
    remove: remove && success(remove) !== undefined ? remove : undefined,
  }
}

/** Where the answer to a creation has the key: `{ places }`, the surest first, or `{ isLocation }`. */
function keyOfCreation(creation, { parameter, name, shapes, found }) {
  const schema = jsonOf(creation)
  const created = schema === undefined ? [] : shapes.findRecords(schema, parameter, name)
  // The same name in both answers, or the name of the parameter: any other number is that of something else.
  const places = created.filter(({ tier, key }) => tier === 0 || found?.properties.has(key))
  if (places[0]?.tier === 0 || places.some(({ key }) => key === found?.key)) return { places }
  const hasLocation = success(creation).headers.some((each) => each.name.toLowerCase() === 'location')
  return schema === undefined && hasLocation && success(creation).status === '201' ? { isLocation: true } : undefined
}

function isList(operation, shapes) {
  const schema = jsonOf(operation)
  return schema !== undefined && shapes.hasList(schema)
}

function filters({ parameters }, { properties }) {
  return parameters.some(
    ({ in: place, name, isRequired, schema }) =>
      place === 'query' && properties.has(name) && (isRequired || schema?.default !== undefined),
  )
}

function isCreating(operation) {
  const { responses, summary = '', operationId = '' } = operation
  return responses.some(({ status }) => status === '201') || creating.test(`${summary} ${toWords(String(operationId))}`)
}

function toWords(text) {
  return text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_./-]/g, ' ')
}

/** A name that a path has twice selects nothing. */
function sameNames(operation) {
  const names = ofPath(operation)
  return new Set(names).size === names.length
}

/** The first documented 2xx. */
export function success(operation) {
  return successesOf(operation).find(({ status }) => status.startsWith('2') || status === 'DEFAULT')
}

/** The JSON schema of the first success. */
export function jsonOf(operation) {
  return success(operation)?.media.find((media) => isJson(media) && media.schema !== undefined)?.schema
}

/** The schema of a body that is sent whole, and not as a list of changes. */
export function bodySchema({ body }) {
  if (body?.media.some(({ type }) => /json-patch/i.test(type)) && body.media.length === 1) return undefined
  return body?.media.find(({ schema }) => schema !== undefined)?.schema
}
