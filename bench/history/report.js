/** Reports how the findings of `diff` agree with the oracle, and lists every disagreement. */
import { asides, atLeast } from '../bars.js'
import { readDocument } from '../documents/read-document.js'
import { createFragments } from './fragments.js'

const shownInList = 400

/** @param prepared pairs with `prepared` and, if they were judged, `yours` and `everything` */
export function toReport(prepared, { minutes, isComplete, list }) {
  const judged = prepared.filter(({ yours }) => yours !== undefined)
  const events = judged.flatMap((each) => each.prepared.events)
  const providers = new Set(judged.map(({ pair }) => pair.provider))
  const yours = sumUp(judged, 'yours')
  const bars = [
    atLeast('breaking events that are found, %', yours.found, 99),
    atLeast('reported errors that are right, %', yours.right, 95),
    ...[
      ['pairs', judged.length, 500],
      ['providers', providers.size, 30],
      ['breaking events', events.length, 300],
    ].map(([what, value, limit]) => (isComplete ? atLeast(what, value, limit) : asides(what, value))),
  ]
  const bySide = (side) => events.filter((each) => each.side === side).length
  const everything = sumUp(judged, 'everything')
  return {
    tables: [
      {
        title: 'Breaking changes for a consumer',
        head: ['what is reported', 'events', 'found', 'found, %', 'errors', 'right', 'right, %'],
        rows: [
          toRow('what the lock uses', yours),
          toRow('everything is yours', everything),
          toRow('nothing is yours', { ...yours, foundCount: 0, found: 0, errors: 0, rightCount: 0, right: Number.NaN }),
        ],
      },
      {
        title: 'Events',
        head: ['', 'count', 'providers', 'found'],
        rows: eventRows(judged),
      },
      { title: 'Pairs', head: ['', 'count'], rows: Object.entries(countBy(prepared, outcomeOf)) },
      { title: 'Left out', head: ['', 'count'], rows: droppedIn(prepared) },
    ],
    lists: list === undefined ? [] : listsOf(judged, list),
    notes: [
      `${judged.length} pairs of ${providers.size} providers in ${minutes.toFixed(1)} minutes`,
      `${events.length} events: ${bySide('operation')} operations, ${bySide('request')} in requests, ${bySide('response')} in responses`,
      ...countLines(judged),
    ],
    bars,
    hasFailed: bars.some(({ isKept }) => isKept === false),
    data: {
      yours,
      everything,
      events: countBy(events, ({ side, kind }) => `${side}: ${kind}`),
      disagreements: judged.flatMap(disagreementsOf),
    },
  }
}

function eventRows(judged) {
  const all = judged.flatMap(({ pair, prepared, yours }) =>
    prepared.events.map((event) => ({ event, provider: pair.provider, isFound: yours.found.includes(event) })),
  )
  const groups = new Map()
  for (const each of all) {
    const group = `${each.event.side}: ${each.event.kind}`
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([group, list]) => {
      const providers = new Set(list.map(({ provider }) => provider))
      return [group, list.length, providers.size, list.filter(({ isFound }) => isFound).length]
    })
}

function sumUp(judged, which) {
  const count = (name) => judged.reduce((sum, each) => sum + each[which][name].length, 0)
  const [foundCount, missed, rightCount, wrong] = ['found', 'missed', 'right', 'wrong'].map(count)
  return {
    events: foundCount + missed,
    foundCount,
    found: (100 * foundCount) / (foundCount + missed),
    errors: rightCount + wrong,
    rightCount,
    right: (100 * rightCount) / (rightCount + wrong),
  }
}

function toRow(what, { events, foundCount, found, errors, rightCount, right }) {
  const toText = (value) => (Number.isNaN(value) ? '-' : value.toFixed(1))
  return [what, events, foundCount, toText(found), errors, rightCount, toText(right)]
}

function countLines(judged) {
  const all = judged.flatMap(disagreementsOf)
  const counts = Object.entries(countBy(all, ({ what, group }) => `${what}: ${group}`))
  return counts.sort(([, one], [, other]) => other - one).map(([group, count]) => `${count} ${group}`)
}

/** Each `{ what, group, pair, operation, at, detail }`. */
function disagreementsOf({ pair, yours, findings, id }) {
  const missed = yours.missed.map(({ operation, at, kind, side, detail = '' }) => {
    const softer = findings.find((each) => `${each.method} ${each.path}` === operation && each.at === at)
    const said = softer ? `; reported as ${softer.severity} ${softer.rule}` : ''
    return { what: 'missed', group: `${side} ${kind}`, id, operation, at, detail: `${detail}${said}` }
  })
  const wrong = yours.wrong.map(({ rule, kind, method, path, at = '', message }) => ({
    what: 'false',
    group: `${rule}${kind ? ` ${kind}` : ''}`,
    id,
    operation: `${method} ${path}`,
    at,
    detail: message,
  }))
  return [...missed, ...wrong].map((each) => ({ pair: pair.name, ...each }))
}

function listsOf(judged, list) {
  const isListed = ({ what, group }) => list === 'all' || `${what} ${group}`.includes(list)
  const groups = groupsOf(judged, isListed)
  return groups.map(({ title, all }) => ({
    title,
    lines: all
      .slice(0, shownInList)
      .flatMap(({ pair, id, operation, at, detail, old, now }) => [
        `${pair} (${id})  ${operation}  ${at || '(whole)'}`,
        `    ${detail}`,
        `    old ${old}`,
        `    new ${now}`,
      ]),
  }))
}

function groupsOf(judged, isListed = () => true) {
  const groups = new Map()
  for (const each of judged) {
    const listed = disagreementsOf(each).filter(isListed)
    if (listed.length === 0) continue
    const [old, now] = [each.oldFile, each.newFile].map((file) => createFragments(readDocument(file)))
    for (const one of listed) {
      const title = `${one.what}: ${one.group}`
      const fragments = { old: old(one.operation, one.at), now: now(one.operation, one.at) }
      groups.set(title, [...(groups.get(title) ?? []), { ...one, ...fragments }])
    }
  }
  return [...groups]
    .map(([title, all]) => ({ title: `${title} (${all.length})`, all }))
    .sort((one, other) => other.all.length - one.all.length)
}

/** A page with the figures and every disagreement. */
export function toMarkdown(prepared, { tables: [figures] }) {
  const judged = prepared.filter(({ yours }) => yours !== undefined)
  const toLine = (cells) => `| ${cells.join(' | ')} |`
  const toCell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ').slice(0, 160)
  const lines = groupsOf(judged).flatMap(({ title, all }) => [
    `## ${title[0].toUpperCase()}${title.slice(1)}`,
    '',
    '| document | operation | place | why | older | newer |',
    '| --- | --- | --- | --- | --- | --- |',
    ...all.map(({ pair, operation, at, detail, old, now }) => {
      return `| ${[pair, operation, at, detail, old, now].map((each) => toCell(each)).join(' | ')} |`
    }),
    '',
  ])
  const head = [figures.head, figures.head.map(() => '---'), ...figures.rows].map(toLine)
  return ['# Where diff and the oracle disagree', '', ...head, '', ...lines].join('\n')
}

function outcomeOf({ prepared, failure }) {
  return failure === undefined ? prepared.outcome : 'diff failed'
}

function droppedIn(prepared) {
  const sums = {}
  for (const {
    prepared: { dropped = {} },
  } of prepared) {
    for (const [why, count] of Object.entries(dropped))
      if (typeof count === 'number') sums[why] = (sums[why] ?? 0) + count
  }
  const total = (name) => prepared.reduce((sum, each) => sum + (each.prepared.counts?.[name] ?? 0), 0)
  return [...Object.entries(sums), ...['operations', 'calls', 'reads'].map((name) => [`judged ${name}`, total(name)])]
}

function countBy(list, toKey) {
  const counts = {}
  for (const each of list) counts[toKey(each)] = (counts[toKey(each)] ?? 0) + 1
  return counts
}
