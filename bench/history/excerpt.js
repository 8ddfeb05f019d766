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
  for (const map of maps) if (isObject(document[map])) reduced[map] = pick(document[map], (name) => kept.has(`${map}/${name}`))
  if (isObject(document.components)) {
    reduced.components = Object.fromEntries(
      Object.entries(document.components).map(([map, parts]) => [
        map,
        always.has(map) || !isObject(parts) ? parts : pick(parts, (name) => kept.has(`${map}/${name}`)),
      ]),
    )
  }
  return reduced

  function follow(reference) {
    const names = reference.split('/').slice(1).map(unescapePointer)
    const [map, name] = names[0] === 'components' ? names.slice(1) : names
    const part = names[0] === 'components' ? document.components?.[map]?.[name] : document[map]?.[name]
    if (!isObject(part) || kept.has(`${map}/${name}`)) return
    kept.add(`${map}/${name}`)
    if (seen.has(part)) return
    seen.add(part)
    queue.push(part)
  }
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
