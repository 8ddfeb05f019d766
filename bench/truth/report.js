/** Counts levels of answers by server, lists what differs, and what changed since another build. */
import { toChange } from '../table.js'
import { isRightButForBodiesOfErrors, levels } from './judge-answers.js'

/** A list of records repeats its differences: each is printed once for all records of a list, and so many of a step. */
const maxShown = 12

/**
 * @param now servers with their judged steps; `before` those of another build
 * @returns what `run.js` prints and keeps
 */
export function toReport({ now, before, against, list }) {
  const title =
    before === undefined ? 'Answers as those of real servers' : `Answers as those of real servers, ${against} → now`
  return {
    tables: [{ title, ...tableOfServers(now, before) }],
    lists: [
      ...(list === undefined ? [] : [{ title: 'What differs', lines: listDifferences(now, list) }]),
      ...(before === undefined ? [] : [{ title: `Changed since ${against}`, lines: listChanges(now, before) }]),
    ],
    data: { now, before },
  }
}

export function tableOfServers(now, before = now) {
  const all = (servers) => ({ name: 'all', steps: servers.flatMap(({ steps }) => steps) })
  const both = [...now, all(now)].map((server, index) => [server, [...before, all(before)][index]])
  const head = ['server', 'steps', ...levels, 'other status', 'right', 'but for bodies of errors', 'same status']
  const rows = both.map(([server, earlier]) => {
    const cells = toCells(server.steps)
    return [server.name, ...toCells(earlier.steps).map((cell, index) => toChange(cell, cells[index]))]
  })
  return { head, rows }
}

function toCells(steps) {
  const count = (isCounted) => steps.filter(isCounted).length
  const other = count((step) => step.status !== step.answered)
  const percent = (part) => (steps.length === 0 ? '-' : `${((100 * part) / steps.length).toFixed(1)} %`)
  return [
    steps.length,
    ...levels.map((level) => count((step) => step.level === level)),
    other,
    percent(count(({ level }) => level === 'right')),
    percent(count(isRightButForBodiesOfErrors)),
    percent(steps.length - other),
  ]
}

/** @param wanted a level, or all */
export function listDifferences(servers, wanted) {
  return servers.flatMap(({ name, steps }) =>
    steps
      .filter(({ level }) => level !== 'right' && (wanted === 'all' || level === wanted))
      .flatMap((step) => [`${describe(name, step)}: ${step.level}`, ...describeDifferences(step)]),
  )
}

function describe(name, { n, label, method, path }) {
  return `${name} ${n} [${label}] ${method} ${path}`
}

function describeDifferences({ differences }) {
  const once = new Map(differences.map((difference) => [`${difference.kind} ${difference.path}`, difference]))
  const lines = [...once.values()].map(({ kind, path, pointer, real, own }) => {
    return `    ${[kind, pointer || path].filter(Boolean).join(' ')}: ${toShort(real)} | ${toShort(own)}`
  })
  return lines.length > maxShown ? [...lines.slice(0, maxShown), `    and ${lines.length - maxShown} more`] : lines
}

function toShort(value) {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 110)
}

export function listChanges(now, before) {
  const lines = now.flatMap(({ name, steps }, server) =>
    steps.flatMap((step, index) => {
      const word = judgeChange(before[server].steps[index], step)
      return word === undefined
        ? []
        : [`${word} ${describe(name, step)}: ${toChangeOf(before[server].steps[index], step)}`]
    }),
  )
  const count = (word) => lines.filter((line) => line.startsWith(word)).length
  return [...lines, `${count('better')} better, ${count('worse')} worse, ${count('other')} other`]
}

/** A step of the same level is better with the right status, or with fewer differences. */
function judgeChange(before, now) {
  const ranks = ({ level, status, answered, differences }) => [
    levels.indexOf(level),
    status === answered ? 0 : 1,
    differences.length,
  ]
  const [earlier, later] = [ranks(before), ranks(now)]
  const changed = earlier.findIndex((rank, index) => rank !== later[index])
  if (changed >= 0) return later[changed] < earlier[changed] ? 'better' : 'worse '
  return JSON.stringify(before.differences.map(toPlace)) === JSON.stringify(now.differences.map(toPlace))
    ? undefined
    : 'other '
}

function toPlace({ kind, pointer, path }) {
  return [kind, pointer, path]
}

function toChangeOf(before, now) {
  const parts = [
    toChange(before.level, now.level),
    before.answered !== now.answered && `status ${before.answered} → ${now.answered} (real ${now.status})`,
    before.differences.length !== now.differences.length &&
      `${before.differences.length} → ${now.differences.length} differences`,
  ]
  return parts.filter(Boolean).join(', ')
}
