/** The report for people. The verdict comes last, because people see the end of a log first. */
import { styleText } from 'node:util'
import type { Guess } from '../consumer/relied.js'
import type { Finding, Severity } from '../finding.js'
import { type Coverage, type Failure, isEnough, type Report } from '../report.js'
import {
  type CoverageRow,
  callersOf,
  countsOf,
  coverageRows,
  describePlace,
  messageOf,
  newOf,
  plural,
  resourceRows,
  shortenBody,
  sourceOf,
  subjectOf,
  toLine,
  verdictOf,
} from './report-texts.js'

type Style = Extract<Parameters<typeof styleText>[0], string>
type Paint = (style: Style | Style[], text: string) => string

export interface TextOptions {
  /** Whether text has ANSI colours. */
  isColoured: boolean
  /** Whether text lists the coverage by resource and operation, and what is not covered. */
  isCoverageListed: boolean
  /** Whether all guesses are listed, and not only the first ones. @default false */
  areGuessesListed?: boolean
}

/** How many guesses are listed. */
const mostGuesses = 10

/** Plain text, with ANSI colours on request. */
export function renderText(
  report: Report,
  { isColoured, isCoverageListed, areGuessesListed = false }: TextOptions,
): string {
  // The caller has decided about colours; this process's own stdout does not matter.
  const paint: Paint = (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  const found = newOf(report)
  const groups = groupChanges(found)
  const listed = groups.length < found.length ? ` (listed as ${groups.length})` : ''
  const counts = verdictOf(report).slice('passed'.length)
  const verdict = `${report.tool.name}: ${report.isPassed ? 'passed' : 'FAILED'}${counts}${listed}`
  const sections = [
    ...groups.map(([finding, ...others]) => findingLines(finding, others.length, paint)),
    baselineLines(report),
    report.coverage ? coverageLines(report.coverage, paint, isCoverageListed) : [],
    guessLines(report.guesses ?? [], areGuessesListed, paint),
    report.notes.map((note) => `note: ${toLine(note)}`),
    ...(report.failures ?? []).map((failure) => failureLines(failure, paint)),
    [`checked: ${subjectOf(report)}`, paint(['bold', report.isPassed ? 'green' : 'red'], verdict)],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

const colours: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'cyan' }

/** No line starts with text from requests or responses, as build servers execute lines with certain beginnings. */
function findingLines(finding: Finding, others: number, paint: Paint): string[] {
  const { severity, rule, help, requests, response, impact } = finding
  const where = sourceOf(finding)
  const title = `${paint(['bold', colours[severity]], severity)} ${paint('bold', rule)} ${describePlace(finding)}`
  // There may be hundreds of them.
  const elsewhere = others > 0 ? ` (and at ${plural(others, 'more place')})` : ''
  if (impact === 'unused') return [`${title}: ${toLine(messageOf(finding))}${elsewhere}`]
  return [
    title + elsewhere,
    ...(impact ? [`  whose: ${describeImpact(finding)}`] : []),
    `  what: ${toLine(messageOf(finding))}`,
    `  help: ${toLine(help)}`,
    ...(where === '' ? [] : [`  where: ${toLine(where)}`]),
    ...callersOf(finding).map((caller) => `  called: ${toLine(caller)}`),
    ...requests.map((request) => `  $ ${toLine(request)}`),
    ...(response ? [paint('gray', `  answered: ${response.status} ${shortenBody(response.body)}`.trimEnd())] : []),
  ]
}

function describeImpact({ impact, at }: Finding): string {
  if (impact === 'yours') return 'yours'
  const isReturned = at.startsWith('response ')
  return `maybe yours: ${isReturned ? 'if your code reads it, list it in "reads" of the lock' : 'the lock does not say'}`
}

/** A change of a shared schema once for all operations that have it. Other findings are each for itself. */
function groupChanges(findings: readonly Finding[]): [Finding, ...Finding[]][] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const { id, rule, severity, impact, message, place, at, kind, requests } = finding
    const property = /(?:(?<![^.[\] ])[^.[\] ]+|(?<!\[\]))(?:\[\])*$/.exec(at)?.[0]
    const isChange = requests.length === 0 && place !== undefined && property !== ''
    const key = isChange
      ? JSON.stringify([rule, severity, impact, message, kind, place.file, place.line, property, at.split(' ')[0]])
      : id
    const known = groups.get(key)
    if (known) known.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups.values()]
}

function failureLines({ message, help }: Failure, paint: Paint): string[] {
  return [`${paint(['bold', 'red'], 'error')} ${toLine(message)}`, `  help: ${toLine(help)}`]
}

function baselineLines({ baseline, findings }: Report): string[] {
  if (!baseline) return []
  const known = findings.filter(({ isKnown }) => isKnown)
  const file = toLine(baseline.file)
  const held = countsOf(known)
  if (baseline.isUpdated) {
    const taken = baseline.gone.length > 0 ? `; removed from it: ${plural(baseline.gone.length, 'finding')}` : ''
    return [`baseline: ${file} was written and holds ${held}${taken}`]
  }
  return [
    ...(known.length > 0 ? [`baseline: ${held} known from ${file}`] : []),
    ...(baseline.gone.length > 0 ? [`baseline: no longer found, --update-baseline removes these from ${file}:`] : []),
    ...baseline.gone.map((id) => `  - ${toLine(id)}`),
  ]
}

/** What nobody has said or shown, and the line of an overlay that settles it. */
function guessLines(guesses: readonly Guess[], areAllListed: boolean, paint: Paint): string[] {
  if (guesses.length === 0) return []
  const listed = areAllListed ? guesses : guesses.slice(0, mostGuesses)
  const more = guesses.length > listed.length ? `; the first ${listed.length} of them, --guesses lists all` : ''
  return [
    `${plural(guesses.length, 'guess', 'guesses')} decided answers that your tests read${more}`,
    ...listed.flatMap((guess) => {
      const { fact, why, count, right, correct } = guess
      const often = right ? `, and such guesses are right in ${Math.round(right * 100)} %` : ''
      return [
        `${paint('bold', 'guess')} ${toLine(fact)}`,
        `  why: ${toLine(why)}${often}`,
        ...callersOf(guess).map((caller) => `  read: ${toLine(caller)}`),
        ...(guess.sources ? [] : [`  read: by ${plural(count, 'request')}`]),
        `  settle: ${toLine(JSON.stringify(correct))}`,
      ]
    }),
  ]
}

function coverageLines(coverage: Coverage, paint: Paint, isListed: boolean): string[] {
  const { met, total, percent, minimum } = coverage
  const rows = coverageRows(coverage)
  const required = minimum === undefined ? '' : `, ${minimum} % required`
  const hint = isListed || met === total ? '' : '; --coverage lists what is not'
  const text = `coverage: ${met} of ${total} points covered, ${percent} %${required}${hint}`
  const title = isEnough(coverage) ? text : paint('red', text)
  if (!isListed) return [title]
  const gaps = rows.filter((row) => row.gaps.length > 0)
  const resources = resourceRows(coverage)
  return [
    title,
    ...(resources.length > 0
      ? [
          ...table(
            ['resource', 'operations', 'requests', 'covered', 'percent'],
            resources.map((row) => [row.name, `${row.called}/${row.operations}`, ...cellsOf(row)]),
          ),
          '',
        ]
      : []),
    ...table(
      ['operation', 'requests', 'covered', 'percent'],
      rows.map((row) => [row.name, ...cellsOf(row)]),
    ),
    ...(gaps.length > 0 ? ['not covered:'] : []),
    ...gaps.map(({ name, gaps: missing }) => `  ${name}: ${missing.join('; ')}`),
  ]
}

function cellsOf({ requests, met, total, percent }: CoverageRow): string[] {
  return [String(requests), `${met}/${total}`, `${percent} %`]
}

/** Aligns the first column to the left, the others to the right. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [head, ...rows].map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${cells.join('  ')}`
  })
}
