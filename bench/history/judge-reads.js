/** Judges whether what a consumer reads of a response is still there, and of the same kind. */
import { placesOf, prefixesOf, toInstances } from './instances.js'
import { toProbes } from './probes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param older `{ schema, generate, errorsOf }` of the response in the older document; `newer` in the newer one
 * @param paths what is read
 * @returns `{ events, dropped, judged, unjudged }`: each event `{ at, kind, detail }`; `unjudged` are paths
 */
export function judgeReads({ older, newer, paths }) {
  const before = toInstances(older.schema, paths, older)
  const after = toInstances(newer.schema, paths, newer)
  const events = new Map()
  const dropped = { 'not in an old instance': 0, 'not generated': 0 }
  const unjudged = []
  const verdicts = new Map()
  if (before.instances.length === 0 || after.instances.length === 0) {
    return { events: [], judged: 0, unjudged: paths, dropped: { 'no valid instance': paths.length } }
  }
  let judged = 0
  for (const path of paths) {
    if (!before.instances.some((each) => placesOf(each, path).some(({ has }) => has))) {
      dropped['not in an old instance'] += 1
      unjudged.push(path)
      continue
    }
    if (prefixesOf(path).some((prefix) => after.failed.has(prefix))) {
      dropped['not generated'] += 1
      unjudged.push(path)
      continue
    }
    judged += 1
    for (const prefix of prefixesOf(path)) {
      const isWhole = prefix === path
      const key = `${prefix}\t${isWhole}`
      if (!verdicts.has(key)) verdicts.set(key, judge(prefix, isWhole))
      const event = verdicts.get(key)
      if (event === undefined) continue
      events.set(`${prefix} ${event.kind}`, { at: prefix, ...event })
      break
    }
  }
  return { events: [...events.values()], judged, unjudged, dropped }

  function judge(path, isWhole) {
    const old = before.instances.flatMap((each) => placesOf(each, path))
    const now = after.instances.flatMap((each) => placesOf(each, path))
    if (!now.some(({ has }) => has)) return { kind: 'gone' }
    const isAlways = old.every(({ has }) => has)
    if (isAlways && now.some(({ has }) => !has)) return { kind: 'optional' }
    const values = distinct(now.filter(({ has }) => has).map(({ value }) => value))
    const types = new Set(old.filter(({ has }) => has).map(({ value }) => typeOf(value)))
    for (const value of values) {
      const isDeep = isObject(value) || (Array.isArray(value) && value.some((item) => isDeepValue(item)))
      if (types.has(typeOf(value)) && (isDeep || !isWhole)) continue
      const refused =
        refusalOf(older, before.instances, path, value) ?? (isWhole && refusalOfEnums(before, path, value))
      if (refused) return toEvent(refused, value)
    }
    return isWhole ? judgeProbes(path) : undefined
  }

  /** Values that the newer schema accepts, and the older one refuses. */
  function judgeProbes(path) {
    const [one, other] = [before, after].map(({ leaves }) => leaves.get(path) ?? new Map())
    if (one.size === 0 || other.size === 0) return undefined
    if ([...other.keys()].every((each) => one.has(each))) return undefined
    for (const probe of toProbes([...one.values(), ...other.values()])) {
      const refused = refusalOf(older, before.instances, path, probe) ?? refusalOfEnums(before, path, probe)
      const isNew = refused && !(refusalOf(newer, after.instances, path, probe) ?? refusalOfEnums(after, path, probe))
      if (isNew) return toEvent(refused, probe)
    }
    return undefined
  }
}

/** The error if no instance accepts the value at the path. */
function refusalOf({ schema, errorsOf }, instances, path, value) {
  let refused
  let tried = 0
  for (const instance of instances) {
    const copy = structuredClone(instance)
    const place = path === '' ? { has: true } : placesOf(copy, path).find(({ has }) => has)
    if (place === undefined) continue
    let whole = copy
    if (path === '') whole = value
    else place.parent[place.key] = value
    const errors = errorsOf(schema, whole)
    if (errors.length === 0) return undefined
    refused ??= errors.find(({ keyword }) => !['anyOf', 'oneOf', 'allOf', 'if'].includes(keyword)) ?? errors[0]
    tried += 1
    if (tried === 60) break
  }
  return refused
}

/** An open object that is another part of a `oneOf` accepts any value, but only the parts that describe the place count. */
function refusalOfEnums({ leaves }, path, value) {
  const described = [...(leaves.get(path)?.values() ?? [])]
  if (described.length === 0 || (typeof value === 'object' && value !== null)) return undefined
  const isRefused = described.every(({ values }) => values !== undefined && !values.includes(value))
  return isRefused ? { keyword: 'enum', message: 'is a value of no part' } : undefined
}

function toEvent({ keyword, schema, message }, value) {
  const kind = value === null ? 'null' : keyword
  const shown = JSON.stringify(value) ?? ''
  return {
    kind,
    detail: `${shown.slice(0, 60)}: ${message ?? ''} ${keyword === 'enum' ? '' : (JSON.stringify(schema) ?? '')}`.slice(
      0,
      160,
    ),
  }
}

function isDeepValue(value) {
  return isObject(value) || (Array.isArray(value) && value.some((item) => isDeepValue(item)))
}

function typeOf(value) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function distinct(values) {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
