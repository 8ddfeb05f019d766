/** Counts verdicts and checks of programs, lists checks that fail, and what changed since another build. */
import { toChange } from '../table.js'

const verdicts = ['right', 'shallow', 'wrong', 'after']
/** Where an expectation is from: the document, what every such service does, or the code of the service alone. */
export const sources = ['doc', 'guess', 'code']

/**
 * @param now programs with their judged steps; `before` those of another build
 * @returns what `run.js` prints and keeps
 */
export function toReport({ now, before, against, list }) {
  const title = `Steps of programs of in-house services${before === undefined ? '' : `, ${against} → now`}`
  return {
    tables: [{ title, ...tableOfPrograms(now, before) }],
    lists: [
      ...(list === undefined ? [] : [{ title: 'Checks that fail', lines: listFailures(now, list) }]),
      ...(before === undefined ? [] : [{ title: `Changed since ${against}`, lines: listChanges(now, before) }]),
    ],
    notes: now.filter(({ error }) => error).map(({ name, error }) => `${name}: not measured: ${error}`),
    data: { now, before },
  }
}

export function tableOfPrograms(now, before = now) {
  const all = (programs) => ({ name: 'all', steps: programs.flatMap(({ steps }) => steps) })
  const earlier = [...before, all(before)]
  const head = ['document', 'steps', ...verdicts, ...verdicts.map((each) => `${each} without code`), ...sources]
  const rows = [...now, all(now)].map(({ name, steps }, index) => {
    const cells = toCells(earlier[index].steps)
    return [name, ...toCells(steps).map((cell, column) => toChange(cells[column], cell))]
  })
  return { head, rows }
}

/** All checks of a step count for its verdict, then all but those of the code; the rest are checks that hold. */
function toCells(steps) {
  const checks = steps.flatMap((step) => step.checks)
  const counts = (property) => verdicts.map((each) => steps.filter((step) => step[property] === each).length)
  const held = sources.map((source) => {
    const own = checks.filter((check) => check.source === source)
    return `${own.filter(({ ok }) => ok).length}/${own.length}`
  })
  return [steps.length, ...counts('verdict'), ...counts('withoutCode'), ...held]
}

/** @param wanted the source of the checks, or all */
export function listFailures(programs, wanted) {
  return programs.flatMap(({ name, steps }) =>
    steps.flatMap((step) => {
      const failed = step.checks.filter(({ ok, source }) => !ok && (wanted === 'all' || source === wanted))
      if (failed.length === 0) return []
      return [`${describe(name, step)}: ${step.verdict}`, ...failed.map((check) => `    ${describeCheck(check)}`)]
    }),
  )
}

function describe(name, { id, title }) {
  return `${name} ${id} ${title}`
}

function describeCheck({ source, label, ok, got }) {
  return `${source}: ${label}${ok ? '' : `: got ${got}`}`
}

export function listChanges(now, before) {
  const lines = now.flatMap(({ name, steps }, program) => {
    const earlier = new Map(before[program].steps.map((step) => [step.id, step]))
    return steps.flatMap((step) => (earlier.has(step.id) ? changesOf(name, earlier.get(step.id), step) : []))
  })
  const steps = lines.filter((line) => !line.startsWith(' ')).length
  return [...lines, `${steps} steps changed`]
}

function changesOf(name, before, now) {
  const known = new Map(before.checks.map((check, index) => [toKey(before.checks, index), check]))
  const checks = now.checks.flatMap((check, index) => {
    const earlier = known.get(toKey(now.checks, index))
    if (earlier === undefined || earlier.ok === check.ok) return []
    return [`    ${check.ok ? 'now holds' : 'now fails'}: ${describeCheck(check)}`]
  })
  const isSame = before.verdict === now.verdict && before.withoutCode === now.withoutCode
  if (isSame && checks.length === 0) return []
  return [`${describe(name, now)}: ${toChange(before.verdict, now.verdict)}`, ...checks]
}

/** A step may have two checks with one label. */
function toKey(checks, index) {
  const { label } = checks[index]
  return `${checks.slice(0, index).filter((check) => check.label === label).length} ${label}`
}
