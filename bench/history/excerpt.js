/** Reduces a document to some of its paths and to what they refer to, so that other tools can read it in time. */

const isObject = (value) => typeof value === 'object' && value !== null
/** Maps of parts, of which only those that are referred to stay. */
const maps = ['definitions', 'parameters', 'responses']
const always = new Set(['securitySchemes'])
/** Others are for people, or of tools. */
const ofService = new Set([
  ...['openapi', 'swagger', 'jsonSchemaDialect', 'servers', 'host', 'basePath', 'schemes', 'consumes', 'produces'],
  ...['security', 'securityDefinitions', 'components', ...maps],
])

/** @param paths the documented paths that stay */
export function excerpt(document, paths) {
  const kept = new Set()
  const queue = paths.map((path) => document.paths[path])
  const seen = new Set(queue)
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const [name, each] of Object.entries(next)) {
      if (name === '$ref' && typeof each === 'string') follow(each)
      else if (isObject(each) && !seen.has(each)) {
        seen.add(each)
        queue.push(each)
      } else if (name !== '$ref' && typeof each === 'string' && each.startsWith('#/')) follow(each)
    }
  }
  const reduced = {
    ...pick(document, (name) => ofService.has(name)),
    info: { title: String(document.info?.title), version: String(document.info?.version) },
    paths: pick(document.paths, (path) => paths.includes(path) || kept.has(`paths/${path}`)),
  }
  for (const map of maps)
    if (isObject(document[map])) reduced[map] = pick(document[map], (name) => kept.has(`${map}/${name}`))
  if (isObject(document.components)) {
    reduced.components = Object.fromEntries(
      Object.entries(document.components).map(([map, parts]) => [
        map,
        always.has(map) || !isObject(parts) ? parts : pick(parts, (name) => kept.has(`${map}/${name}`)),
      ]),
    )
  }
  return inline(reduced, document)

  function follow(reference) {
    const names = namesIn(reference)
    const [map, name] = names[0] === 'components' ? names.slice(1) : names
    const part = names[0] === 'components' ? document.components?.[map]?.[name] : document[map]?.[name]
    if (!isObject(part) || kept.has(`${map}/${name}`)) return
    kept.add(`${map}/${name}`)
    if (seen.has(part)) return
    seen.add(part)
    queue.push(part)
  }
}

/** Replaces references into the middle of a part, which not every tool follows, and leaves out those that lead nowhere. */
function inline(value, document, depth = 0) {
  if (Array.isArray(value)) {
    return value.filter((each) => !leadsNowhere(each, document)).map((each) => inline(each, document, depth))
  }
  if (!isObject(value)) return value
  const { $ref: reference } = value
  if (typeof reference === 'string') {
    if (leadsNowhere(value, document)) return {}
    const names = namesIn(reference)
    const isDeep = names.length > (names[0] === 'components' ? 3 : 2)
    if (isDeep) return depth > 5 ? {} : inline(at(document, names) ?? {}, document, depth + 1)
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each, document, depth)]))
}

function leadsNowhere(value, document) {
  const reference = value?.$ref
  if (typeof reference !== 'string') return false
  return !reference.startsWith('#/') || at(document, namesIn(reference)) === undefined
}

function namesIn(reference) {
  return reference.split('/').slice(1).map(unescapePointer)
}

/** Follows references on the way. */
function at(document, names, depth = 0) {
  let value = document
  for (const name of names) {
    if (typeof value?.$ref === 'string' && depth < 10) {
      value = at(document, namesIn(value.$ref), depth + 1)
    }
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

function pick(object, isKept) {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => isKept(name)))
}

function unescapePointer(text) {
  try {
    return decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return text
  }
}
