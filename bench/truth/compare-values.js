/** Compares values of answers: which differ, where and how. */
import { toSegment } from './pointers.js'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?/
/** Places of ids, by the name of the property. */
const idPlace = /(^|\.|_)(id|_id|uuid|silenceID|alert_id|key|secret|fingerprint)$|I[dD]$/
const countPlace = /count|total/i
/** Properties in whose texts an error says what went wrong; a service is free to say it in other words. */
const textPlaces = new Set([
  ...['message', 'error', 'detail', 'details', 'description', 'title', 'stack', 'reason'],
  ...['path', 'schemapath', 'datapath', 'help', 'hint'],
])
/** Properties that name a record in its list, the usual one first. */
const recordNames = ['id', 'name', 'title', 'key', 'uuid', 'slug', 'labels', 'matchers']
const sameRecordNames = ['id', 'name', 'key', 'uuid', 'email']

export const isContainer = (value) => value !== null && typeof value === 'object'
const isUuid = (value) => typeof value === 'string' && uuid.test(value)
const isNumeral = (value) => typeof value === 'number' || /^\d+$/.test(value)

/** The text of a value, the same for each order of properties. */
export function toCanonical(value) {
  return JSON.stringify(value, (_, inner) =>
    isContainer(inner) && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

/**
 * Adds the differences of a value to `context.differences`.
 * @param real what the real server answered; `again` the second time
 * @param own what the sandbox answered
 * @param place `path` with `[]` for each record of a list, `pointer` into the answer of the real server
 */
export function compareValues(context, real, again, own, place = { path: '', pointer: '' }) {
  if (isContainer(real) && isContainer(own) && Array.isArray(real) === Array.isArray(own)) {
    const compare = Array.isArray(real) ? compareLists : compareObjects
    return compare(context, real, again, own, place)
  }
  const kind = differenceOf(context, real, again, own, place.path)
  if (kind !== undefined) add(context, kind, place, real, own)
}

function add({ differences }, kind, { path, pointer }, real, own) {
  differences.push({ kind, path, pointer, real, own })
}

/** @returns the kind of the difference of two values, of which one is no container, or undefined if there is none */
function differenceOf(context, real, again, own, path) {
  const { ids, idsAgain, isError, mayLackRecords } = context
  const isId = idPlace.test(path)
  if (ids.translate(real) === own || (typeof real === 'string' && real === own && !isId)) return undefined
  if (isContainer(real)) return 'shape'
  if (typeof real === 'number' && isId && ids.of(real) === String(own)) return undefined
  const isSameType = typeof real === typeof own
  // What the two recordings have different is not determined.
  const isFree = real !== undefined && again !== undefined && !isContainer(real) && idsAgain.translate(again) !== real
  const ofTime = isSameType ? differenceOfTimes(context, real, own, isFree) : 'no time'
  if (ofTime !== 'no time') return ofTime
  if (isFree && isSameType && real !== '' && own !== '') {
    if (!isId && !isUuid(real)) return undefined
    if (ids.pair(real, own)) return isUuid(real) === isUuid(own) ? undefined : 'id-form'
  }
  if (isId && isSameType && isNumeral(real) && ids.pair(real, own)) return undefined
  if (isError && isSameType && typeof real === 'string' && isTextPlace(path)) return 'text'
  const isNumber = isSameType && typeof real === 'number'
  if (mayLackRecords && isNumber && real > own && countPlace.test(path)) return 'seed'
  return isSameType && (real === null) === (own === null) ? 'value' : 'type'
}

/** @returns 'no time' if not both are times, or they are times of other moments */
function differenceOfTimes({ times }, real, own, isFree) {
  if (!isTime(real, times.real) || !isTime(own, times.own)) return 'no time'
  if (isFree || typeof real === 'number')
    return `${real}`.endsWith('Z') === `${own}`.endsWith('Z') ? undefined : 'time-form'
  const apart = Date.parse(real) - Date.parse(own)
  const isSame = apart === 0 || Math.abs(apart - (times.real.from - times.own.from)) < 120_000
  return isSame ? undefined : 'no time'
}

/** Numbers are times if they are near the time of the exchanges, in seconds or in milliseconds. */
function isTime(value, { from, to }) {
  if (typeof value !== 'number') return typeof value === 'string' && time.test(value)
  const areSeconds = value > from / 1000 - 9e5 && value < to / 1000 + 9e7
  return areSeconds || (value > from - 9e8 && value < to + 9e10)
}

function isTextPlace(path) {
  const names = path.toLowerCase().replace(/\[\]$/, '').split('.')
  return path === '' || names.some((name) => textPlaces.has(name))
}

function compareObjects(context, real, again, own, { path, pointer }) {
  const { ids, isInitial } = context
  const isKeyedByIds = Object.keys(real).some((key) => ids.has(key))
  const inner = (key, isKey) => ({
    path: `${path === '' ? '' : `${path}.`}${isKey ? '{key}' : key}`,
    pointer: `${pointer}/${toSegment(key)}`,
  })
  const compared = isKeyedByIds
    ? Object.fromEntries(Object.entries(own).map(([key, value]) => [ids.back(key) ?? key, value]))
    : own
  for (const [key, value] of Object.entries(real)) {
    const place = inner(key, ids.has(key))
    if (key in compared) compareValues(context, value, again?.[key], compared[key], place)
    else add(context, isInitial({ name: key }) ? 'seed' : 'missing', place, value, undefined)
  }
  for (const [key, value] of Object.entries(compared)) {
    if (!(key in real)) add(context, 'extra', inner(key, ids.back(key) !== undefined), undefined, value)
  }
}

function compareLists(context, real, again, own, place) {
  const { isInitial, isBefore } = context
  const all = real.map((value, index) => ({ value, again: Array.isArray(again) ? again[index] : undefined, index }))
  const isShort = own.length < real.length
  const expected = isShort
    ? all.filter(({ value }) => !isInitial(value) || own.some((each) => isSame(each, value)))
    : all
  if (expected.length < all.length) add(context, 'seed', place, real.length, own.length)
  if (expected.length !== own.length) {
    const isLessInitial = isBefore && own.length < expected.length
    add(context, isLessInitial ? 'seed' : 'length', place, expected.length, own.length)
  }
  const ordered = expected.length === own.length ? inOrder(context, expected, own, place) : own
  for (const [position, { value, again: second, index }] of expected.slice(0, ordered.length).entries()) {
    const inner = { path: `${place.path}[]`, pointer: `${place.pointer}/${index}` }
    compareValues(context, value, second, ordered[position], inner)
  }
}

function isSame(one, other) {
  if (!isContainer(one)) return one === other
  return sameRecordNames.some((name) => one[name] !== undefined && one[name] === other[name])
}

/** @returns the records of the sandbox in the order of the real server's, if they are the same in another order */
function inOrder(context, expected, own, place) {
  const wanted = expected.map(({ value }) => nameOf(translateRecord(context.ids, value)))
  const got = own.map(nameOf)
  const isOtherOrder = `${wanted}` !== `${got}` && `${wanted.toSorted()}` === `${got.toSorted()}`
  if (!isOtherOrder) return own
  const short = (names) => names.map((name) => name.slice(0, 40)).join(' ')
  add(context, 'order', place, short(wanted), short(got))
  return wanted.map((name) => own[got.indexOf(name)])
}

function translateRecord(ids, value) {
  if (!isContainer(value)) return ids.translate(value)
  const record = JSON.parse(JSON.stringify(value), (_, inner) => ids.translate(inner))
  const id = ids.of(record.id)
  if (id !== undefined) record.id = typeof record.id === 'number' ? Number(id) : id
  return record
}

function nameOf(record) {
  if (!isContainer(record)) return String(record)
  const found = recordNames.find((name) => record[name] !== undefined && record[name] !== null)
  return toCanonical(found === undefined ? record : { [found]: record[found] })
}
