/**
 * Instances of the schema of a response, for the properties that a consumer reads: one with all of them, one with only what is
 * required, and one for each alternative, each null and each absent property on the way to them.
 */
import { NoValue, otherName } from './generate.js'

const greatestCount = 600

/**
 * @param paths what is read, such as `data[].name`
 * @returns `{ instances, leaves, failed }`: valid instances, the merged schemas by path, and paths for which no value was found
 */
export function toInstances(schema, paths, { generate, errorsOf }) {
  const wanted = new Set(paths.flatMap(prefixesOf))
  const leaves = new Map()
  const instances = new Map()
  const failed = new Set()
  const queue = [{ choices: new Map() }, { choices: new Map(), isMinimal: true }]
  const known = new Set()
  let count = 0
  while (queue.length > 0 && count < greatestCount) {
    const { choices, isMinimal } = queue.shift()
    count += 1
    const open = new Map()
    const choose = (at, kind, size) => {
      const key = `${at}\t${kind}`
      if (kind === 'present' && (isMinimal || !wanted.has(at))) return 1
      const chosen = choices.get(key)
      if (chosen !== undefined) return chosen % size
      // Values are compared in another way.
      if (kind !== 'value' && wanted.has(at)) open.set(key, size)
      return 0
    }
    try {
      const onLeaf = (at, flat) => {
        const list = at.replace(/(\[\])+$/, '')
        for (const each of new Set([at, list])) if (wanted.has(each)) noteLeaf(leaves, each, flat)
      }
      const instance = generate(schema, { choose, onLeaf, onFailure: (at) => failed.add(at) })
      if (errorsOf(schema, instance).length === 0) instances.set(JSON.stringify(instance), instance)
    } catch (error) {
      if (!(error instanceof NoValue)) throw error
    }
    if (isMinimal) continue
    for (const [key, size] of open) {
      for (let index = 1; index < size; index++) {
        const next = `${key}\t${index}\t${alternativesIn(choices)}`
        if (known.has(next)) continue
        known.add(next)
        queue.push({ choices: new Map([...choices, [key, index]]) })
      }
    }
  }
  return { instances: [...instances.values()], leaves, failed }
}

/** What is possible depends on the alternatives that were chosen before. */
function alternativesIn(choices) {
  const all = [...choices].filter(([key]) => key.includes('\talternative '))
  return all.map((each) => each.join('=')).join(';')
}

function noteLeaf(leaves, at, flat) {
  const { properties, required, seen, items, additional, example, ...rest } = flat
  const all = leaves.get(at) ?? new Map()
  all.set(JSON.stringify(rest), rest)
  leaves.set(at, all)
}

/** The path itself and all before it, the shortest first; the whole is ''. */
export function prefixesOf(path) {
  const all = ['']
  const parts = path.match(/\[\]|[^.[\]]+(?:\[(?!\])[^.[\]]*)*|[.]/g) ?? []
  let at = ''
  for (const part of parts) {
    at += part
    if (part !== '.') all.push(at)
  }
  return [...new Set(all)]
}

/** The segments of a path: names, `[]` and `{}`. */
function segmentsOf(path) {
  const prefixes = prefixesOf(path)
  return prefixes.slice(1).map((each, index) => each.slice(prefixes[index].length).replace(/^\./, ''))
}

/** Where a path leads to in an instance: `{ parent, key, has, value }`; the parent of the whole is undefined. */
export function placesOf(instance, path) {
  let places = [{ has: true, value: instance }]
  for (const segment of segmentsOf(path))
    places = places.flatMap((place) => (place.has ? below(place.value, segment) : []))
  return places
}

function below(value, segment) {
  if (segment === '[]') {
    return Array.isArray(value) ? value.map((item, key) => ({ parent: value, key, has: true, value: item })) : []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const key = segment === '{}' ? otherName : segment
  const has = Object.hasOwn(value, key)
  return [{ parent: value, key, has, value: has ? value[key] : undefined }]
}
