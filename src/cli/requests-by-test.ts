/** Finds which requests a test made: by the key or the frames of requests, and by the file, line and name of the test. */
import { keyOf, type Use } from '../checks/consumer/lock.js'
import type { TestResult } from '../checks/consumer/read-junit.js'
import { readSource, type TestFrame } from '../checks/consumer/sources.js'
import { once } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import type { Exchange } from '../state/journal.js'

/** Where requests come from, as far as known. */
export type Origin = Partial<TestFrame>

/** What the requests of one origin use. */
interface Group {
  origin: Origin
  uses: Map<string, Use>
}

export interface RequestsByTest {
  add(exchange: Exchange, uses: readonly Use[]): void
  /** What all requests use. */
  all(): Use[]
  /** What the requests of a test use. To be called after the last request. @param results those of all tests */
  of(result: TestResult, results: readonly TestResult[]): Promise<RequestsOfTest>
}

export interface RequestsOfTest {
  uses: Use[]
  /** Where one of them was made, if that is known. */
  frame: TestFrame | undefined
  /** Whether they are known to be of this test. Otherwise another test may have made them. */
  isCertain: boolean
}

/** @param testOf the name of the test whose own key a request has */
export function createRequestsByTest(testOf: (exchange: Exchange) => string | undefined): RequestsByTest {
  const groups = new Map<string, Group>()

  /** The groups with the names of their tests, as soon as all requests are known. The parser of files is only loaded then. */
  const named = once(async () => {
    const { createTestNames } = await import('./name-tests.js')
    const nameOf = createTestNames(process.cwd())
    return Promise.all(
      [...groups.values()].map(async ({ origin, uses }) => {
        const frame = toFrame(origin)
        return { origin: (frame ? await nameOf(frame) : origin) ?? {}, uses }
      }),
    )
  })

  return {
    add(exchange, uses) {
      const frame = exchange.source === undefined ? undefined : readSource(exchange.source)?.at(-1)
      const name = testOf(exchange)
      const origin = { ...frame, ...(name !== undefined && { name }) }
      const group = getOrInsert(groups, JSON.stringify(origin), () => ({ origin, uses: new Map() }))
      for (const use of uses) group.uses.set(keyOf(use), use)
    },
    all: () => merge([...groups.values()]),
    async of(result, results) {
      const all = await named()
      for (const [level, isOf] of findOrigins(result, results).entries()) {
        const found = all.filter(({ origin }) => isOf(origin))
        if (found.length === 0) continue
        const frame = found.map(({ origin }) => toFrame(origin)).find((each) => each !== undefined)
        return { uses: merge(found), frame, isCertain: level < certainLevels }
      }
      return { uses: [], frame: undefined, isCertain: false }
    },
  }
}

function toFrame({ file, line, ...origin }: Origin): TestFrame | undefined {
  return file === undefined || line === undefined ? undefined : { ...origin, file, line }
}

function merge(groups: readonly Group[]): Use[] {
  return [...new Map(groups.flatMap(({ uses }) => [...uses])).values()]
}

/** The first ones of `findOrigins` that leave no doubt. */
const certainLevels = 3

/** Whether an origin is that of a test, in several ways: the first way that finds any decides. */
export function findOrigins(result: TestResult, results: readonly TestResult[]): ((origin: Origin) => boolean)[] {
  const { name, className, suites } = result
  const titles = [name, `${className} ${name}`, ...suites.map((_, index) => [...suites.slice(index), name].join(' '))]
  const labels = titles.map(toWords).filter((words) => words !== '')
  const files = filesOf(result)
  const isInFile = ({ file }: Origin) =>
    file === undefined || files.length === 0 || files.some((each) => isSameFile(each, file))
  const test = ({ name: own = '' }: Origin) => toWords(own)
  return [
    (origin) => labels.includes(test(origin)) && isInFile(origin),
    // Runners write the titles of groups before that of the test, and the source may not say all of them.
    (origin) => test(origin) !== '' && labels.some((label) => label.endsWith(` ${test(origin)}`)) && isInFile(origin),
    (origin) => origin.name === undefined && result.line !== undefined && caseAt(results, origin) === result,
    (origin) => origin.name === undefined && origin.file !== undefined && files.length > 0 && isInFile(origin),
    ({ name: own, file }) => own === undefined && file === undefined,
  ]
}

/** The test whose first line is the last one before a frame. Undefined if the results have no lines. */
function caseAt(results: readonly TestResult[], { file, line = 0 }: Origin): TestResult | undefined {
  const before = results.filter(
    (each) =>
      file !== undefined && each.file !== undefined && isSameFile(each.file, file) && (each.line ?? line + 1) <= line,
  )
  return before.reduce<TestResult | undefined>(
    (last, each) => ((last?.line ?? -1) < (each.line ?? 0) ? each : last),
    undefined,
  )
}

/** The file of a test. Some runners write it as the class or as the suite. */
export function filesOf({ file, className, suites }: TestResult): string[] {
  const isPath = (text: string) => /\.(?=\w+$)(?<=[/\\]\S+\.)|\.[cm]?[jt]sx?$/.test(text)
  if (file !== undefined || isPath(className)) return [file ?? className]
  return suites.filter(isPath)
}

/** Whether one path is the end of the other, as runners have different roots. */
function isSameFile(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map(
      (path) =>
        `/${path
          .replace(/^file:\/\//, '')
          .replaceAll('\\', '/')
          .replace(/^(?:\.?\/)+/, '')}`,
    )
    .sort((a, b) => a.length - b.length)
  return long.endsWith(short)
}

/** Runners join titles with different signs. */
function toWords(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}
