/** Sends valid and invalid requests for the operations of one document, and judges the answers. */
import { breakRequest } from './break-request.js'
import { createBuildRequest } from './build-request.js'
import { createBuildValue, NoValidValue } from './build-value.js'
import { createKeys, givesKeysTo } from './collect-keys.js'
import { createSchemas } from './json-schemas.js'
import { createJudge, successesOf } from './judge.js'
import { createRandom } from './random.js'

const invalidPerOperation = 3
const shownBody = 500
/** Where the keys of a request come from that the service must know. */
const knownOrigin = 'a key that an answer gave'
const isSafe = ({ method }) => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)
const depthOf = ({ path }) => path.split('{').length - 1

/**
 * @param operations those to judge; `helpers` are sent first, for their keys, and not judged
 * @param send resolves to the answer to a request for an operation
 * @param onStep called before each operation, with what is done
 */
export async function measureOperations({ read, name, operations, helpers, send, onStep }) {
  const { document, resolve } = read
  const schemas = createSchemas({ document, resolve, mode: 'request' })
  const buildValue = createBuildValue({ document, schemas })
  const keys = createKeys()
  const { buildParts, write } = createBuildRequest({ schemas, buildValue, resolve, keys })
  const judge = createJudge({ schemas: createSchemas({ document, resolve, mode: 'response' }), resolve })
  const judged = new Set(operations)
  const counts = { valid: {}, invalid: {}, said: {} }
  const failures = []
  const answered = new Map()
  let slowestMs = 0

  const inOrder = [...operations, ...helpers].sort((one, other) => place(one) - place(other))
  const removals = inOrder.filter(({ method }) => method === 'DELETE')
  const others = inOrder.filter(({ method }) => method !== 'DELETE')
  for (const operation of others) await sendValid(operation)
  for (const operation of inOrder) if (judged.has(operation)) await sendInvalid(operation)
  for (const operation of removals) if (judged.has(operation)) await sendValid(operation)
  // All valid requests of these operations succeeded.
  const succeeding = [...answered.values()].filter((verdicts) =>
    verdicts.every((verdict) => verdict === 'ok' || verdict === 'repeated'),
  ).length
  return { counts, failures, succeeding, slowestMs }

  async function sendValid(operation) {
    onStep(`valid request for ${operation.id}`)
    let sent
    // Once with everything, once with only what is required; what changes the state of one record only once.
    for (const isMinimal of operation.method === 'DELETE' ? [true] : [true, false]) {
      const isOnce = !isMinimal && !judged.has(operation)
      if (isOnce) continue
      try {
        const parts = buildParts(operation, { isMinimal })
        const request = write(operation, parts)
        const text = JSON.stringify(request)
        if (text === sent) continue
        sent = text
        if ((await exchange(operation, { request, parts, isMinimal })) !== 'conflict') continue
        // Who wants a new record chooses another key.
        const others = buildParts(operation, { isMinimal, isNew: true })
        await exchange(operation, { request: write(operation, others), parts: others, isMinimal, isLast: true })
      } catch (error) {
        if (!judged.has(operation)) continue
        const isOurs = !(error instanceof NoValidValue)
        const verdict = isOurs ? 'harness' : 'no valid request'
        note(operation, { verdict, cause: isOurs ? error.message.slice(0, 150) : verdict, detail: error.message })
        if (isOurs) break
      }
    }
  }

  /** @returns `conflict` if a record has the key already, which is not noted unless this is the last try */
  async function exchange(operation, { request, parts, isMinimal, isLast = false }) {
    const answer = await timed(operation, request)
    if (!isLast && isConflict(operation, answer)) return 'conflict'
    // The second creation or removal of a record with the same key may be refused.
    const isRefusedAgain = answer.status === 409 || (answer.status === 404 && removes(operation))
    const isRepeated = isRefusedAgain && answered.get(operation)?.includes('ok')
    const result = answer.failure
      ? { verdict: answer.isUnsent ? 'no valid request' : 'no answer', cause: answer.failure }
      : isRepeated
        ? { verdict: 'repeated' }
        : judgeOf(operation, answer)
    const isSuccess = answer.status >= 200 && answer.status < 300
    const values = valuesOf(parts)
    if (isSuccess && operation.method === 'DELETE') keys.remove(operation, values)
    else if (isSuccess) keys.add(operation, values, parse(answer))
    if (!judged.has(operation)) return
    // Why a key is not known says which side is wrong.
    const origin = answer.status === 404 ? originOfKeys(operation, parts) : undefined
    const cause = origin === undefined ? result.cause : `${result.cause}; ${origin}`
    const isUnknown = origin !== undefined && origin !== knownOrigin && result.verdict === 'refused'
    const verdict = isUnknown ? 'unknown key' : result.verdict
    note(operation, { ...result, verdict, cause }, { ...request, isMinimal }, answer)
  }

  function originOfKeys(operation, { hasKnownKeys }) {
    if (depthOf(operation) === 0) return 'no key'
    if (hasKnownKeys) return knownOrigin
    if (keys.hasRecords(operation)) return 'a key by schema, because records have no usable one'
    const isDescribed = inOrder.some((giver) => givesKeysTo(giver, operation))
    return `a key by schema, because no list or creation ${isDescribed ? 'gave a record' : 'is described'}`
  }

  async function sendInvalid(operation) {
    if (successesOf(operation).length === 0) return
    onStep(`invalid request for ${operation.id}`)
    try {
      const parts = buildParts(operation, { isMinimal: false })
      const random = createRandom(`${name} ${operation.id}`)
      for (const broken of breakRequest(operation, parts, { schemas, random, count: invalidPerOperation })) {
        const request = write(operation, broken.parts)
        const answer = await timed(operation, request)
        if (answer.isUnsent) continue
        const result = answer.failure
          ? { verdict: 'no answer', cause: answer.failure }
          : judge.judgeRefusal(operation, broken, answer)
        count(counts.invalid, result.verdict)
        const { hasText, carries, filler } = result.said ?? {}
        if (hasText) {
          count(counts.said, 'all')
          if (carries) count(counts.said, 'reason')
          if (filler !== undefined) count(counts.said, 'filler')
        }
        const isSilent = hasText && (!carries || filler !== undefined)
        if (isSilent) {
          const said = carries ? { cause: `filler: ${filler}` } : { cause: 'no reason' }
          const shown = { ...said, verdict: 'silent' }
          failures.push(toFailure(operation, shown, { ...request, what: broken.what }, answer, 'invalid'))
        }
        if (isKept(result.verdict)) continue
        const cause = `${broken.kind}: ${result.cause}`
        failures.push(toFailure(operation, { ...result, cause }, { ...request, what: broken.what }, answer, 'invalid'))
      }
    } catch (error) {
      // A valid request could not be built: that is counted among the valid ones.
      if (!(error instanceof NoValidValue)) count(counts.invalid, 'harness')
    }
  }

  async function timed(operation, request) {
    const start = performance.now()
    const answer = await send(operation, request)
    slowestMs = Math.max(slowestMs, performance.now() - start)
    return answer
  }

  function judgeOf(operation, answer) {
    try {
      return judge.judgeSuccess(operation, answer)
    } catch (error) {
      return { verdict: 'harness', cause: `schema: ${error.message}`.slice(0, 150) }
    }
  }

  function note(operation, result, sent, answer) {
    count(counts.valid, result.verdict)
    answered.set(operation, [...(answered.get(operation) ?? []), result.verdict])
    if (['ok', 'undescribed', 'repeated'].includes(result.verdict)) return
    failures.push(toFailure(operation, result, sent, answer, 'valid'))
  }
}

/** Lists and creations of a level come before what needs their keys. */
function place(operation) {
  const isFirst = operation.method === 'GET' || operation.method === 'POST'
  const step = operation.method === 'GET' ? 0 : operation.method === 'POST' ? 1 : isSafe(operation) ? 3 : 2
  if (operation.method === 'DELETE') return 1000 - depthOf(operation)
  if (operation.method === 'POST' && depthOf(operation) === 0) return 1 + placeOfProcedure(operation.path)
  return isFirst ? depthOf(operation) * 10 + step : 500 + depthOf(operation) * 10 + step
}

/** Whether a creation was refused because of its key. Where no 409 is documented, the body says it. */
function isConflict({ method }, { status, body }) {
  if (method !== 'POST' && method !== 'PUT') return false
  return status === 409 || ((status === 400 || status === 422) && /already exists/i.test(String(body)))
}

const removing = /^(delete|remove|deregister|terminate)/i

function removes({ method, path }) {
  return method === 'POST' && removing.test(path.replace(/^.*[/.=#]/, ''))
}

/** Procedures that list come first, and those that delete last, as far as their names say so. */
function placeOfProcedure(path) {
  const name = path.replace(/^.*[/.=#]/, '')
  if (/^(list|search|find)|^describe\w*s$/i.test(name)) return 0
  if (removing.test(name)) return 990
  return /^(create|add|put|register|import)/i.test(name) ? 0.2 : 0.1
}

function isKept(verdict) {
  return verdict === 'documented refusal' || verdict === 'refused' || verdict === 'undescribed'
}

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1
}

function valuesOf({ parameters }) {
  const ofPath = [...parameters].filter(([parameter]) => parameter.in === 'path')
  return Object.fromEntries(ofPath.map(([{ name }, value]) => [name, value]))
}

function parse({ body }) {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function toFailure(operation, { verdict, cause, detail }, sent, answer, request) {
  const got = answer?.status && {
    status: answer.status,
    type: answer.headers['content-type'],
    body: answer.body.toString().slice(0, shownBody),
  }
  const shown = sent && { ...sent, body: sent.body?.slice(0, shownBody) }
  const { method, path } = operation
  return { request, verdict, cause, detail, method, path, effect: operation.effect, sent: shown, got }
}
