/** Judges what a sandbox answered to the requests of a recording. README.md says what each level means. */
import { compareValues, isContainer, toCanonical } from './compare-values.js'
import { createIds } from './ids.js'

/** From good to bad. */
export const levels = ['right', 'text', 'seed', 'shallow', 'wrong']
/** Properties whose values name records that were there from the start. */
const initialNames = ['id', 'name', 'key', 'uuid', 'email', 'username', 'fingerprint']

/**
 * @param recording `{ first, second }`, as `readRecordings` returns them
 * @param replayed what `replay` returns
 * @returns for each exchange what was sent, both statuses, the level and the differences
 */
export function judgeAnswers({ first, second }, replayed) {
  const ids = createIds()
  const idsAgain = createIds()
  for (const [name, id] of Object.entries(first.ids)) {
    const own = replayed.ids[name]
    if (own !== undefined && own !== id) ids.pair(id, own)
    idsAgain.pair(second.ids[name], id)
  }
  const sent = new Set()
  const initial = createInitial()
  const shared = { ids, idsAgain, isInitial: initial.has, times: { real: first, own: replayed } }
  return first.exchanges.map((exchange, index) => {
    const { n, label, method, path, body, status, phase, res } = exchange
    for (const part of [...scalarsIn(body).map(({ value }) => value), ...path.split('/')]) {
      if (typeof part === 'string' || typeof part === 'number') sent.add(String(part))
    }
    const answer = replayed.answers[index]
    const isError = status >= 400
    const isBefore = phase === 'before'
    const context = {
      ...{ ...shared, isError, isBefore, differences: [] },
      mayLackRecords: method === 'GET' && !initial.isEmpty(),
    }
    compareAnswers(context, exchange, second.exchanges[index] ?? exchange, answer)
    if (isBefore && !isError) initial.add(res)
    const { differences } = context
    const level = levelOf(differences, { isError, sent })
    return { n, label, method, path, status, answered: answer.status, level, differences }
  })
}

/** What the real server had before the client made anything. */
function createInitial() {
  const known = new Set()
  const isKnown = (name, value) => value !== undefined && known.has(`${name}:${value}`)
  return {
    isEmpty: () => known.size === 0,
    has: (value) =>
      isContainer(value) ? initialNames.some((name) => isKnown(name, value[name])) : known.has(`:${value}`),
    add(value) {
      for (const { name, value: each } of scalarsIn(value)) {
        if (initialNames.includes(name)) known.add(`${name}:${each}`)
        else if (typeof each === 'string' && each.startsWith('/')) known.add(`:${each}`)
      }
    },
  }
}

/** All values that are no containers, with the name of their property. */
function scalarsIn(value, name = '') {
  if (!isContainer(value)) return [{ name, value }]
  if (Array.isArray(value)) return value.flatMap((each) => scalarsIn(each, name))
  return Object.entries(value).flatMap(([key, each]) => scalarsIn(each, key))
}

function compareAnswers(context, real, again, own) {
  const add = (kind, one, other, path = '') =>
    context.differences.push({ kind, path, pointer: '', real: one, own: other })
  if (real.status !== own.status) return add('status', real.status, own.status)
  if ((real.type === '') !== (own.type === '')) add('body', real.type || 'none', own.type || 'none')
  else if (real.type !== own.type) {
    const areJson = [real.type, own.type].every((type) => type.includes('json'))
    add(areJson && context.isError ? 'media-json' : 'media', real.type, own.type)
  }
  if (real.res !== null && own.res !== null) compareValues(context, real.res, again.res, own.res)
  else if (real.type && own.type && !context.isError && toCanonical(real.res) !== toCanonical(own.res))
    add('shape', real.res, own.res)
  if (real.headers?.location !== undefined && own.headers.location === undefined)
    add('header', real.headers.location, undefined, 'location')
}

function levelOf(differences, { isError, sent }) {
  const has = (...kinds) => differences.some(({ kind }) => kinds.includes(kind))
  const areAll = (...kinds) => differences.every(({ kind }) => kinds.includes(kind))
  if (has('status', 'media')) return 'wrong'
  if (!isError && differences.some((each) => isContradiction(each, sent))) return 'wrong'
  if (differences.length === 0) return 'right'
  if (areAll('text', 'media-json')) return 'text'
  return areAll('seed') ? 'seed' : 'shallow'
}

/** Whether a sent value, a record, or all of a body is lost. */
function isContradiction({ kind, path, real, own }, sent) {
  if (kind === 'length') return true
  if ((kind === 'missing' || kind === 'extra') && path.endsWith('{key}')) return true
  if (kind === 'shape') return (own === null || toCanonical(own).length < 5) && toCanonical(real).length > 5
  const isText = (typeof real === 'string' || typeof real === 'number') && String(real).length > 1
  return ['missing', 'value', 'type'].includes(kind) && isText && sent.has(String(real))
}

/** Whether the status is right and, if it is no error, all else is. */
export function isRightButForBodiesOfErrors({ status, differences }) {
  return differences.every(({ kind }) => status >= 400 && kind !== 'status')
}
