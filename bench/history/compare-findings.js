/** Compares the findings of `diff` with the events of the oracle. */

/**
 * @param events `{ operation, side, at, kind }`
 * @param unjudged `{ operation, at }` of what the oracle could not judge
 * @param findings those of `diff` that are reported, `{ method, path, at }`
 * @returns `{ found, missed, right, wrong }`: events, and findings
 */
export function compareFindings({ events, unjudged }, findings) {
  const isFound = (event) => findings.some((finding) => isSame(event, finding))
  const isRight = (finding) => events.some((event) => isSame(event, finding))
  return {
    found: events.filter(isFound),
    missed: events.filter((event) => !isFound(event)),
    right: findings.filter(isRight),
    wrong: findings.filter((finding) => !isRight(finding) && !unjudged.some((each) => isSame(each, finding))),
  }
}

/** A finding about a whole is about its parts too, and the reverse; of a request the side suffices. */
function isSame(event, { method, path, at = '' }) {
  if (event.operation !== `${String(method).toUpperCase()} ${path}`) return false
  if (event.at === '' || at === '') return true
  const [one, other] = [event.at, at].map(toResponse)
  if (one === undefined || other === undefined) return one === other
  if (/^\d+$/.test(other.status) && one.status !== other.status) return false
  return isPrefix(one.path, other.path) || isPrefix(other.path, one.path)
}

/** Undefined for a place in a request. */
function toResponse(at) {
  const [, status, path = ''] = /^response(?: (\S+)(?: (.*))?)?$/s.exec(at) ?? []
  return at.startsWith('response') ? { status: status ?? '', path } : undefined
}

function isPrefix(prefix, path) {
  if (prefix === '' || prefix === path) return true
  return path.startsWith(prefix) && /^[.[]/.test(path.slice(prefix.length))
}
