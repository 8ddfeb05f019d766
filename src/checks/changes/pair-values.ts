/** Walks through the values of two versions side by side. */
import { isJson } from '../../contract/http/media-types.js'
import type { Located } from '../../document/document.js'
import type { AnsweredPair, OperationPair, SentPair } from './change.js'
import { noClasses, type OperationUse, unknownClasses } from './operation-use.js'
import { headersOf, pairContents, pairParameters, responseBefore, responseFor, statusesOf } from './pair-parts.js'
import { joinPath, pairMembers, type Within, walkSchemas } from './walk-schemas.js'

/** Parameters and properties of bodies that both versions have. */
export function* pairSent(pair: OperationPair): Generator<SentPair> {
  const { old, next, use, comparison } = pair
  const rests = [old, next].map(({ body }) => {
    const isOpen = body && old.body && next.body && Object.keys(body.value.content).length === 0
    return isOpen ? [{ 'content of the body': 'not documented' }] : []
  })
  const [one, other] = [old, next].map(({ value, at }) => ({ value, path: at })) as [Located<object>, Located<object>]
  for (const found of pairMembers(one, other, comparison, rests)) {
    yield { ...found, at: '', isText: false, classes: () => (use?.isCalled ? unknownClasses : noClasses) }
  }
  for (const [old, next] of pairParameters(pair.old, pair.next)) {
    const at = `${old.value.in} ${old.value.name}`
    const isUsed = (path: string) => path === '' || path === '[]' || use?.isParameterAbove(`${at} ${path}`) === true
    for (const { path, ...found } of walkSchemas(pair, { old, next, isSent: true, isUsed })) {
      // A lock has the values of the items of a list.
      const classes = (name = '') =>
        use?.parameter(toPlace(at, joinPath(path, name).replace(/^\[\]$/, ''))) ?? noClasses
      const place = /^[^[]/.test(path) ? `${at}.${path}` : toPlace(at, path)
      yield { ...found, at: place, isText: old.value.content === undefined, classes }
    }
  }
  for (const [type, one, other] of pairContents(old.body, next.body)) {
    // A lock has the properties of JSON bodies and forms.
    const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'
    const isLocked = isForm ? use?.types.has(type) === true : isJson(type)
    const isUsed = (path: string) => isLocked && use?.isBodyAbove(path) === true
    for (const { path, within, ...found } of walkSchemas(pair, { old: one, next: other, type, isSent: true, isUsed })) {
      const inAlternative = within && use && isLocked ? isSentAs(use, within) : 'yes'
      const classes = (name = '') => {
        if (!isLocked) return use?.types.has(type) ? unknownClasses : noClasses
        const own = use?.body(joinPath(path, name)) ?? noClasses
        if (inAlternative === 'yes' || own.size === 0) return own
        return inAlternative === 'no' ? noClasses : unknownClasses
      }
      yield { ...found, at: toPlace('body', path), isText: !isJson(type), classes }
    }
  }
}

/** Whether an alternative was sent: a lock knows the names of alternatives that a discriminator gives them. */
function isSentAs(use: OperationUse, { path, tag }: Within): 'yes' | 'no' | 'unknown' {
  const [property, value] = tag ?? []
  if (property === undefined) return 'unknown'
  const sent = use.body(joinPath(path, property))
  if (sent.has(`=${value}`)) return 'yes'
  return [...sent].some((kind) => kind.startsWith('=')) ? 'no' : 'unknown'
}

/** Values of answers that both versions have. */
export function* pairAnswered(pair: OperationPair): Generator<AnsweredPair> {
  const { old, next, use, comparison } = pair
  const added = [...next.responses.keys()].map((status) => [status, responseBefore(old, status)] as const)
  for (const [status, one] of [...old.responses, ...added]) {
    const other = one && responseFor(next, status)
    if (!other) continue
    const at = `response ${status}`
    const statuses = statusesOf(old, status, use)
    const useOf = (path: string) => use?.answer(statuses, path) ?? 'unused'
    for (const found of pairMembers(one, other, comparison)) yield { ...found, at, use: () => useOf('') }
    const nextHeaders = new Map(headersOf(next, other))
    for (const [name, old] of headersOf(pair.old, one)) {
      const next = nextHeaders.get(name)
      const start = next && { old, next, isHeader: true, isSent: false, isUsed: () => false }
      for (const { path, ...found } of start ? walkSchemas(pair, start) : []) {
        // A lock has no headers, so they are used as the whole answer is.
        yield { ...found, at: toPlace(`${at} header ${name}`, path), use: () => useOf('') }
      }
    }
    for (const [type, old, next] of pairContents(one, other)) {
      // A lock has the properties of JSON.
      const isTyped = isJson(type) || statuses.some((each) => use?.answers.get(each)?.has(type))
      const isUsed = (path: string) => isTyped && useOf(path) === 'read'
      for (const { path, ...found } of walkSchemas(pair, { old, next, type, isSent: false, isUsed })) {
        yield {
          ...found,
          at: toPlace(at, path),
          use: (name = '') => (isTyped ? useOf(joinPath(path, name)) : 'unused'),
        }
      }
    }
  }
}

function toPlace(root: string, path: string): string {
  return path === '' ? root : `${root} ${path}`
}
