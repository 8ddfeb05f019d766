/** Adds up what was judged: the lists, their families of paging, and how many of each kind are right. */
import { atLeast } from '../bars.js'

export const kinds = ['loops', 'totals', 'links', 'filters', 'sorts', 'searches', 'hollow', 'examples', 'references']
const right = 100
/** What a body means is less often evident than what a parameter means. */
const bars = { searches: 80 }
const shownExamples = 3
const shownOpen = 12

export function toReport(results, options) {
  const lists = listsIn(results)
  const judged = lists.flatMap(({ judgements = [], ...list }) => judgements.map((each) => ({ ...list, ...each })))
  const figures = Object.fromEntries(
    kinds.map((kind) => [kind, toFigures(judged.filter((each) => each.kind === kind))]),
  )
  const kept = kinds.map((kind) => ({
    id: kind,
    ...atLeast(`${kind} that are right`, figures[kind].share, bars[kind] ?? right, ' %'),
  }))
  const wrong = judged.filter(({ verdict }) => verdict === 'wrong')
  const others = results.filter(({ outcome }) => outcome !== 'measured')
  const harness = lists.filter((each) => each.harness !== undefined)
  const openReasons = groupBy(
    judged.filter(({ verdict }) => verdict === 'open'),
    ({ kind, why }) => `${kind}: ${why.replace(/".*"/, '"…"').replace(/ takes .*| of \S+$/, '')}`,
  )
  return {
    tables: [
      {
        title: 'what is judged',
        head: ['what', 'judged', 'right', 'not judged'],
        rows: kinds.map((kind) => {
          const { count, agree, share, open } = figures[kind]
          return [kind, count, `${agree} (${share.toFixed(1)} %)`, open]
        }),
      },
      {
        title: 'loops by family',
        head: ['family', 'lists', 'of several pages', 'right', 'not judged'],
        rows: toFamilies(judged),
      },
      {
        title: 'lists',
        head: ['what', 'count'],
        rows: [
          ['documents', results.length],
          ['documents with a list', results.filter(({ found }) => found > 0).length],
          ['lists', lists.length],
          ['lists with paging', lists.filter(({ families }) => families?.length > 0).length],
          ['not judged: which array is the list', results.reduce((sum, { unclear = [] }) => sum + unclear.length, 0)],
          ['not reachable', lists.filter(({ unreachable }) => unreachable !== undefined).length],
          ['without a record', lists.filter(({ count }) => count === 0).length],
          ['faults of this bench', harness.length],
          ...others.map(({ name, outcome, why = '' }) => [`${name}: ${outcome}`, why.slice(0, 160)]),
        ],
      },
    ],
    lists: [
      { title: 'what is wrong', lines: groupBy(wrong, ({ kind, cause }) => `${kind}: ${cause}`).flatMap(toLines) },
      {
        title: 'what is not judged',
        lines: openReasons.slice(0, shownOpen).map(([why, members]) => `${members.length}: ${why}`),
      },
      ...harness
        .slice(0, shownExamples)
        .map((each) => ({ title: `${each.document} ${each.operation}`, lines: [each.harness] })),
    ],
    bars: kept,
    hasFailed: kept.some(({ isKept }) => !isKept),
    data: { figures },
    options,
  }
}

/** @returns a line for each disagreement of a kind, or for all that is not judged */
export function listDisagreements(results, which) {
  return listsIn(results).flatMap(({ judgements = [], ...list }) => {
    if (which === 'open' && list.unreachable !== undefined) return [toLine({ ...list, why: list.unreachable })]
    if (which === 'open' && list.count === 0) return [toLine({ ...list, why: 'without a record' })]
    const isShown = (each) =>
      which === 'open' ? each.verdict === 'open' : each.kind === which && each.verdict === 'wrong'
    return judgements.filter(isShown).map((each) => toLine({ ...list, ...each }))
  })
}

function listsIn(results) {
  return results.flatMap(({ name, lists = [] }) => lists.map((each) => ({ document: name, ...each })))
}

function toFigures(some) {
  const count = some.filter(({ verdict }) => verdict !== 'open').length
  const agree = some.filter(({ verdict }) => verdict === 'right').length
  return { count, agree, share: count === 0 ? 100 : (100 * agree) / count, open: some.length - count }
}

function toFamilies(judged) {
  const loops = judged.filter(({ kind }) => kind === 'loops')
  return groupBy(loops, ({ what }) => what).map(([family, members]) => {
    const { count, agree, share, open } = toFigures(members)
    const several = members.filter(({ pages, verdict }) => pages > 1 && verdict !== 'open').length
    return [family, count, several, `${agree} (${share.toFixed(1)} %)`, open]
  })
}

/** @returns groups with the largest first */
function groupBy(some, toKey) {
  const groups = new Map()
  for (const each of some) groups.set(toKey(each), [...(groups.get(toKey(each)) ?? []), each])
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length)
}

function toLines([cause, members]) {
  const documents = [...new Set(members.map(({ document }) => document))]
  const where = documents.length === 1 ? 'one document' : `${documents.length} documents`
  const examples = documents.slice(0, shownExamples).map((name) => members.find(({ document }) => document === name))
  return [`${members.length} in ${where}: ${cause}`, ...examples.map(toLine)]
}

function toLine({ document, operation, what, why, sent, got }) {
  const parts = [`${document} ${operation}`, what, why, sent && `sent ${sent}`, got && `got ${got}`]
  return `    ${parts.filter(Boolean).join(' | ').replace(/\s+/g, ' ').slice(0, 900)}`
}
