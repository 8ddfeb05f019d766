/** Adds up what was observed: shares by depth, bars, and the first step in which each collection disagrees. */
import { atLeast } from '../bars.js'

const shownExamples = 3
/** Percent of the collections: of those that can be observed, and of those that `explain` says it keeps. */
const stateBars = { observable: 90, claimed: 100 }
const stateful = new Set(['list', 'create', 'read', 'replace', 'update', 'remove'])
const depths = ['0', '1', '2+']

export function toReport(results, options) {
  const all = observedIn(results)
  const unbuilt = results.flatMap(({ collections = [] }) => collections.filter((each) => each.unbuilt !== undefined))
  const figures = Object.fromEntries(['observable', 'claimed'].map((which) => [which, toFigures(all, which)]))
  const bars = ['observable', 'claimed'].map((which) => {
    const share = figures[which].total.share
    return { id: which, ...atLeast(`collections that agree, of the ${which} ones`, share, stateBars[which], ' %') }
  })
  const withRecords = results.filter(({ records }) => records > 0)
  const others = results.filter(({ outcome }) => outcome !== 'measured' && outcome !== 'no operation')
  const groups = groupBySteps(all)
  return {
    tables: [
      {
        title: 'collections that agree',
        head: ['depth', 'observable', 'agree', 'claimed', 'agree'],
        rows: toRows(figures),
      },
      {
        title: 'documents',
        head: ['what', 'count'],
        rows: [
          ['documents', results.length],
          ['with a path of a record', withRecords.length],
          [
            'with a collection that can be observed',
            results.filter(({ collections }) => collections?.length > 0).length,
          ],
          ['paths of records', withRecords.reduce((count, { records }) => count + records, 0)],
          ['collections that were not observed: no key of a parent, or no valid request', unbuilt.length],
          ...others.map(({ name, outcome, why = '' }) => [`${name}: ${outcome}`, why.slice(0, 160)]),
        ],
      },
    ],
    lists: [{ title: 'the first step that disagrees', lines: groups.flatMap(toLines) }],
    bars,
    hasFailed: bars.some(({ isKept }) => !isKept),
    data: { figures, unbuilt },
    options,
  }
}

/** @returns a line for each collection that disagrees; `claimed` only those that `explain` claims */
export function listDisagreements(results, which) {
  const isShown = which === 'claimed' ? ({ claimed }) => claimed !== undefined : ({ first }) => first !== undefined
  return observedIn(results)
    .filter(({ isClaimed }) => which !== 'claimed' || isClaimed)
    .filter(isShown)
    .map((each) => toLine(each, which === 'claimed' ? each.claimed : each.first))
}

/** Collections with the first check that disagrees, of all and of those with effects on the collection. */
function observedIn(results) {
  return results.flatMap(({ name, collections = [] }) =>
    collections
      .filter(({ checks }) => checks !== undefined)
      .map(({ id, depth, checks }) => {
        const path = checks.find(({ step, claims }) => step === 'read' && areKept(claims))?.claims[0].of
        const isClaimed = path !== undefined || isCreationClaimed(checks)
        return {
          document: name,
          id,
          depth: depths[Math.min(depth, 2)],
          first: checks.find(({ cause }) => cause !== undefined),
          isClaimed,
          claimed: isClaimed
            ? checks.find(
                ({ cause, claims, step }) =>
                  cause !== undefined && areKept(claims, step === 'unknown parent' || step === 'removal of the parent'),
              )
            : undefined,
        }
      }),
  )
}

/** Nothing was read, because the creation failed. */
function isCreationClaimed(checks) {
  const { step, claims } = checks.at(-1)
  return (step === 'create' || step === 'key') && areKept(claims) && claims[0].effect !== 'update'
}

/** Whether all operations of a check act on records, of one collection unless its parent takes part. */
function areKept(claims, hasParent = false) {
  const isOne = hasParent || new Set(claims.map(({ of }) => of)).size === 1
  return isOne && claims.every(({ effect, of }) => stateful.has(effect) && of !== undefined)
}

function toFigures(all, which) {
  const counted = which === 'claimed' ? all.filter(({ isClaimed }) => isClaimed) : all
  const of = (some) => {
    const agree = some.filter(
      ({ [which === 'claimed' ? 'claimed' : 'first']: failure }) => failure === undefined,
    ).length
    return { count: some.length, agree, share: some.length === 0 ? 100 : (100 * agree) / some.length }
  }
  const byDepth = depths.map((depth) => [depth, of(counted.filter((each) => each.depth === depth))])
  return { ...Object.fromEntries(byDepth), total: of(counted) }
}

function toRows({ observable, claimed }) {
  return [...depths, 'total'].map((depth) => [
    depth,
    ...[observable[depth], claimed[depth]].flatMap(({ count, agree, share }) => [
      count,
      `${agree} (${share.toFixed(1)} %)`,
    ]),
  ])
}

function groupBySteps(all) {
  const groups = new Map()
  for (const each of all) {
    if (each.first === undefined) continue
    const effects = each.first.claims.map(({ effect }) => effect).join(', ')
    const key = `${each.first.step}: ${each.first.cause} (${effects})`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length)
}

function toLines([key, members]) {
  const documents = new Set(members.map(({ document }) => document))
  const where = documents.size === 1 ? 'one document' : `${documents.size} documents`
  const examples = [...documents]
    .slice(0, shownExamples)
    .map((name) => members.find(({ document }) => document === name))
  return [`${members.length} in ${where}: ${key}`, ...examples.map((each) => toLine(each, each.first))]
}

function toLine({ document, id }, { step, cause, detail, sent, got, claims }) {
  const effects = claims.map(({ effect, of }) => `${effect} ${of ?? '-'}`).join('; ')
  const parts = [`${document} ${id}`, `${step}: ${cause}`, effects, detail, `sent ${sent}`, `got ${got}`]
  return `    ${parts.filter(Boolean).join(' | ').replace(/\s+/g, ' ').slice(0, 900)}`
}
