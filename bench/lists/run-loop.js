/** Pages through a list until it says that it ends. */
const greatestLoop = 60

/**
 * @param way with `first` and `next`
 * @param base changes that are sent with every request, among them the size
 * @param asked the size, if one is sent
 * @returns `{ pages, problem }`
 */
export async function runLoop(list, way, { ask, follow, base, asked }) {
  const pages = []
  let last = await ask(list, way.first)
  for (;;) {
    if (last.problem !== undefined) return { pages, problem: last.problem }
    pages.push(last)
    if (!last.isSuccess) return { pages, problem: `page ${pages.length} is refused` }
    if (asked !== undefined && last.records.length > asked) return { pages, problem: 'a page is longer than asked' }
    const next = way.next(last, pages, asked)
    if (next === undefined) return { pages }
    if (next.unknown !== undefined) return { pages, open: `no parameter takes ${JSON.stringify(next.unknown)}` }
    if (pages.length === greatestLoop) return { pages, problem: `it does not end in ${greatestLoop} requests` }
    if (next.address !== undefined) last = await follow(list, last, next.address, base)
    else last = await ask(list, [...base, ...next])
  }
}

/** @returns in words what differs between the records of pages and all records; undefined if nothing */
export function compareRecords(pages, whole) {
  const missing = toCounts(whole)
  let repeated = 0
  let unknown = 0
  for (const text of pages.flatMap(({ records }) => records.map((each) => JSON.stringify(each)))) {
    const left = missing.get(text)
    if (left === undefined) unknown += 1
    else if (left === 0) repeated += 1
    else missing.set(text, left - 1)
  }
  const left = [...missing.values()].reduce((sum, each) => sum + each, 0)
  const parts = [
    [left, 'missing'],
    [repeated, 'repeated'],
    [unknown, 'unknown'],
  ].filter(([count]) => count > 0)
  if (parts.length === 0) return undefined
  return { what: parts.map(([, word]) => word).join(', '), detail: parts.map((part) => part.join(' ')).join(', ') }
}

function toCounts(records) {
  const counts = new Map()
  for (const each of records.map((record) => JSON.stringify(record))) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

export function isSameRecords(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
