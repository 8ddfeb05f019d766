/** Runs one step of a program, and says how right it was. */
import { isDeepStrictEqual } from 'node:util'

const limitMs = 60_000
const shownLength = 160

/** A value that an earlier step should have kept, and did not. */
class NotKept extends Error {}
/** A call succeeded that should have failed. */
class NotRefused extends Error {}

/**
 * Values that steps hand on: `kept.order = order`, later `kept.order.id`.
 * To read what no step kept, or what is null, fails the step, as a consequence of the earlier one.
 * @param placeholder returns what is read instead, for a dry run
 */
export function createKept(placeholder) {
  return new Proxy(
    {},
    {
      get(values, name) {
        if (values[name] !== undefined && values[name] !== null) return values[name]
        if (placeholder) return placeholder(name)
        throw new NotKept(`no earlier step kept "${name}"`)
      },
    },
  )
}

/**
 * @param step `{ name, does, needs, class, follows, run }`
 * @param context what `run` gets, besides `check` and `fails`
 * @param outcomes of the steps before, by name
 * @returns `{ outcome: 'right' | 'shallow' | 'wrong', findings, held, isConsequence }`; `held` is the number of checks that held
 */
export async function runStep(step, context, outcomes) {
  const findings = []
  const counts = { held: 0 }
  let isMissing = false
  let timer
  try {
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not finished after ${limitMs / 1000} s`)), limitMs)
    })
    await Promise.race([step.run({ ...context, check: createCheck(findings, counts), fails }), limit])
  } catch (error) {
    isMissing = error instanceof NotKept
    findings.push({ severity: 'wrong', isThrown: true, what: describeError(error) })
  } finally {
    clearTimeout(timer)
  }
  const outcome = toOutcome(findings)
  const followsFailure = (step.follows ?? []).some((name) => outcomes.get(name) !== 'right')
  return { outcome, findings, ...counts, isConsequence: outcome !== 'right' && (isMissing || followsFailure) }
}

function toOutcome(findings) {
  if (findings.length === 0) return 'right'
  return findings.some(({ severity }) => severity === 'wrong') ? 'wrong' : 'shallow'
}

/**
 * `check(isTrue, what, class)` and `check.equal(actual, expected, what, class)` make a step shallow;
 * `check.wrong(…)` and `check.wrong.equal(…)` make it wrong, except that a value that is only missing contradicts nothing.
 * The step goes on after each.
 */
function createCheck(findings, counts) {
  const createOf = (severity) => {
    const judge = (isTrue, what, ofClass, ifNot) => {
      if (isTrue) counts.held++
      else findings.push({ severity: ifNot, what, class: ofClass })
    }
    const check = (isTrue, what, ofClass) => judge(isTrue, what, ofClass, severity)
    check.equal = (actual, expected, what, ofClass) => {
      const shown = `${what}: ${show(actual)}, expected ${show(expected)}`
      judge(isDeepStrictEqual(actual, expected), shown, ofClass, actual === undefined ? 'shallow' : severity)
    }
    return check
  }
  return Object.assign(createOf('shallow'), { wrong: createOf('wrong') })
}

/** Calls a function that must fail, and returns its error. */
async function fails(call) {
  let value
  try {
    value = await call()
  } catch (error) {
    return error
  }
  throw new NotRefused(`expected an error, got ${show(value)}`)
}

function show(value) {
  let text
  try {
    text = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
  } catch {
    text = String(value)
  }
  return (text ?? String(value)).slice(0, shownLength)
}

function describeError(error) {
  if (!(error instanceof Error)) return `it threw ${show(error)}`
  const { name, message } = error
  return `${name}: ${message}`.replace(/\s+/g, ' ').slice(0, 3 * shownLength)
}
