/** Counts the results of programs: by library, by class, by what one must know, and against an earlier result. */
import { atLeast, atMost } from '../bars.js'
import { catalog } from './catalog.js'
import { classes } from './classes.js'

/** Bars, as percent of the steps of the open programs. By example only, few are right, or the checks are too weak. */
const limits = {
  clients: { right: 36, wrong: 38 },
  'clients-examples': { greatestRight: 10 },
}

const outcomes = ['right', 'shallow', 'wrong']
/** What one must know to get a step right, from little to much. */
const needs = {
  document: 'the document alone',
  leniency: '… and a generic leniency',
  overlay: '… and an overlay',
  more: '… and more than that',
}

/**
 * @param measured results of `run-program.js`
 * @param missing programs whose document cannot be had
 * @param earlier the data of an earlier result
 * @returns what `run.js` prints and keeps
 */
export function toReport(measured, { name, title, missing, minutes, earlier }) {
  const programs = measured.map(toProgram)
  const steps = programs.flatMap((program) => program.steps)
  const notStarted = programs.filter(({ outcome }) => outcome !== 'measured')
  const bars = toBars(name, steps)
  return {
    name,
    bars,
    hasFailed: steps.length === 0 || bars.some(({ isKept }) => !isKept),
    tables: [
      { title: `Steps of programs with official client libraries, ${title}`, ...tableOfLibraries(programs) },
      { title: 'Failing steps by class', ...tableOfClasses(programs) },
      { title: 'What one must know to get the steps right', ...tableOfNeeds(steps) },
      tableOfRelied(steps),
    ],
    lists:
      earlier === undefined ? [] : [{ title: 'Changed since the earlier result', lines: compare(programs, earlier) }],
    notes: [
      `${programs.length} programs in ${minutes.toFixed(1)} minutes`,
      ...missing.map(({ name: each, why }) => `${each}: not measured: ${why}`),
      ...notStarted.map(({ name: each, outcome, why }) => `${each}: ${outcome}: ${why}`),
    ],
    data: { title, programs },
  }
}

function toBars(name, steps) {
  const { right, wrong, greatestRight } = limits[name] ?? {}
  const share = (outcome) => (100 * steps.filter((step) => step.outcome === outcome).length) / Math.max(steps.length, 1)
  const bars = [
    right !== undefined && atLeast('steps of open programs that are right', share('right'), right, ' %'),
    wrong !== undefined && atMost('steps of open programs that are wrong', share('wrong'), wrong, ' %'),
    greatestRight !== undefined && atMost('steps that are right by example only', share('right'), greatestRight, ' %'),
  ]
  return bars.filter(Boolean)
}

/** What is kept of a program: everything but requests and answers. */
function toProgram({ name, outcome, why, startMs, firstMs, steps = [] }) {
  const { library, document } = catalog[name]
  const kept = steps.map(({ exchanges: _, does: __, ...step }) => step)
  return { name, library, document, outcome, why, startMs, firstMs, steps: kept }
}

/**
 * @returns numbers of steps: right, shallow, wrong, all, and those that only follow an earlier failure; and the share of the checks
 * that hold, of those that were reached
 */
export function countSteps(steps) {
  const counts = outcomes.map((outcome) => [outcome, steps.filter((step) => step.outcome === outcome).length])
  const consequences = steps.filter(({ isConsequence }) => isConsequence).length
  const held = steps.reduce((sum, step) => sum + (step.held ?? 0), 0)
  const failed = steps.reduce((sum, step) => sum + step.findings.length, 0)
  return { ...Object.fromEntries(counts), all: steps.length, consequences, checks: percent(held, held + failed) }
}

export function tableOfLibraries(programs) {
  const head = ['library', 'steps', 'right', 'shallow', 'wrong', 'after a failure', 'checks', 'ready', 'first answer']
  const rows = programs.map(({ library, steps, startMs, firstMs }) => {
    const { all, right, shallow, wrong, consequences, checks } = countSteps(steps)
    return [library, all, right, shallow, wrong, consequences, checks, toSeconds(startMs), toMs(firstMs)]
  })
  const total = countSteps(programs.flatMap(({ steps }) => steps))
  const shares = outcomes.map((outcome) => `${total[outcome]} (${percent(total[outcome], total.all)})`)
  return { head, rows: [...rows, ['all', total.all, ...shares, total.consequences, total.checks, '', '']] }
}

/** A step that has several classes counts in each of them; it has one cause if it has one class. */
export function tableOfClasses(programs) {
  const steps = programs.flatMap(({ name, steps: own }) => own.map((step) => ({ ...step, program: name })))
  const rows = Object.entries(classes).map(([id, title]) => {
    const touched = steps.filter((step) => step.classes.includes(id))
    const only = touched.filter((step) => step.classes.length === 1).length
    const programsOf = new Set(touched.map(({ program }) => program)).size
    return [`${title} (${id})`, touched.length, only, touched.filter(isWrong).length, programsOf]
  })
  const consequences = steps.filter(({ isConsequence }) => isConsequence)
  const byFirst = (one, other) => other[1] - one[1]
  const last = ['only after an earlier failure', consequences.length, '', consequences.filter(isWrong).length, '']
  return {
    head: ['class', 'steps', 'only cause', 'wrong', 'libraries'],
    rows: [...rows.filter(([, count]) => count > 0).sort(byFirst), last],
  }
}

function isWrong({ outcome }) {
  return outcome === 'wrong'
}

/** Which steps open facts decided: a fact that is named in right steps is named for nothing. */
export function tableOfRelied(steps) {
  const read = steps.filter(({ relied }) => relied !== undefined)
  const rows = [true, false].map((isRight) => {
    const own = read.filter(({ outcome }) => (outcome === 'right') === isRight)
    const named = own.filter(({ relied }) => relied.length > 0).length
    return [isRight ? 'right' : 'shallow or wrong', own.length, named, percent(own.length - named, own.length)]
  })
  return { title: 'Open facts that steps relied on', head: ['steps', 'all', 'name one', 'name none'], rows }
}

export function tableOfNeeds(steps) {
  const ids = Object.keys(needs)
  const rows = ids.map((id, index) => {
    const known = steps.filter((step) => ids.indexOf(step.needs) <= index)
    const right = known.filter(({ outcome }) => outcome === 'right').length
    return [needs[id], known.length, percent(known.length, steps.length), percent(right, known.length)]
  })
  return { head: ['what one must know', 'steps', 'ceiling', 'of these right'], rows }
}

function compare(programs, earlier) {
  const before = new Map(earlier.programs.map((program) => [program.name, program]))
  const lines = programs.flatMap(({ name, steps }) => {
    const known = new Map(before.get(name)?.steps.map((step) => [step.name, step.outcome]))
    return steps
      .filter((step) => known.get(step.name) !== step.outcome)
      .map((step) => `${name}: ${step.name}: ${known.get(step.name) ?? 'not measured'} → ${step.outcome}`)
  })
  const shared = programs.filter(({ name }) => before.has(name))
  const [now, then] = [shared, shared.map(({ name }) => before.get(name))].map((each) =>
    countSteps(each.flatMap(({ steps }) => steps)),
  )
  const summary = outcomes.map((outcome) => `${outcome} ${then[outcome]} → ${now[outcome]}`).join(', ')
  return [...(lines.length > 0 ? lines : ['no step changed']), `in ${shared.length} programs: ${summary}`]
}

/** @returns the failing steps of a class, or all, with what was found and sent and received */
export function listFailures(measured, wanted) {
  return measured.flatMap(({ name, steps = [] }) => {
    const failed = steps.filter(({ outcome, classes: own }) => {
      return outcome !== 'right' && (wanted === 'all' || own.includes(wanted))
    })
    return failed.flatMap((step) => [...describeFailure(name, step), ''])
  })
}

function describeFailure(name, { name: step, does, outcome, isConsequence, classes: own, findings, exchanges }) {
  const why = isConsequence ? 'only after an earlier failure' : own.join(', ')
  return [
    `${name}: ${step}: ${outcome} (${why})`,
    `  the service: ${does}`,
    ...findings.map(({ severity, what }) => `  ${severity}: ${what}`),
    ...exchanges.flatMap(({ method, path, type, sent, status, received, failure }) => [
      `  ${method} ${path}${type ? `  ${type}` : ''}`,
      ...(sent ? [`    ${oneLine(sent)}`] : []),
      `  → ${status ?? failure}${received ? `  ${oneLine(received)}` : ''}`,
    ]),
  ]
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ')
}

function percent(part, whole) {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`
}

function toSeconds(ms) {
  return ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`
}

function toMs(ms) {
  return ms === undefined ? '-' : `${ms.toFixed(0)} ms`
}
