/** Finds the titles of tests in their source, by the lines of their frames. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import ts from 'typescript'
import {
  type FindingSource,
  type Frame,
  isSame,
  isSameTest,
  maxSources,
  type TestFrame,
} from '../checks/consumer/sources.js'
import type { Finding } from '../checks/finding.js'
import { getOrInsert } from '../json/own-value.js'

const isScript = /\.[cm]?[jt]sx?$/i
/** Maximum bytes of a file that is parsed. */
const maxLength = 2_000_000
/** The functions of test runners. */
const tests = new Set(['test', 'it', 'specify', 'fit', 'xit'])
const groups = new Set(['describe', 'suite', 'context', 'fdescribe', 'xdescribe'])
/** What follows them, as in `test.concurrent.only` or `test.skipIf(isSlow)`. */
const modifier =
  /^(?:only|skip|todo|concurrent|sequential|parallel|serial|shuffle|each|for|fails?|failing|fixme|slow|skipIf|runIf|extend|override)$/
/** These repeat a test with values, which its title may quote. */
const repeating = new Set(['each', 'for'])

/**
 * Adds the names of tests to the sources of findings that have none yet.
 * @param folder where the command was started
 */
export async function nameTests<Found extends Pick<Finding, 'sources'>>(
  findings: readonly Found[],
  folder: string,
): Promise<Found[]> {
  const name = createTestNames(folder)
  return Promise.all(
    findings.map(async (finding) => {
      if (!finding.sources) return finding
      const sources = finding.sources.map(async ({ test, ...source }) => {
        const named = test && (await name(test))
        // In other languages nobody knows which frame is a test. The frame of the call says nothing more.
        const isTest = named && (named.name !== undefined || isScript.test(named.file) || !isSame(named, source.call))
        return isTest ? { ...source, test: named } : source
      })
      return { ...finding, sources: merge(await Promise.all(sources)) }
    }),
  )
}

/**
 * Adds the name of the test around a frame that has none. A frame outside of the tests of its file gets no name, and one whose
 * file has no tests is dropped. Each file is read once.
 */
export function createTestNames(folder: string): (frame: TestFrame) => Promise<TestFrame | undefined> {
  const files = new Map<string, Promise<FileTests | undefined>>()
  return async (frame) => {
    if (frame.name !== undefined || !isScript.test(frame.file)) return frame
    return toTestFrame(frame, await getOrInsert(files, frame.file, () => readTests(resolve(folder, frame.file))))
  }
}

/** Those with the same call and the same test are one. */
function merge(sources: readonly FindingSource[]): FindingSource[] {
  const merged: FindingSource[] = []
  for (const source of sources) {
    const known = merged.find((each) => isSame(each.call, source.call) && isSameTest(each.test, source.test))
    if (known) known.count += source.count
    else merged.push(source)
  }
  return merged.slice(0, maxSources)
}

function toTestFrame(frame: Frame, found: FileTests | undefined): TestFrame | undefined {
  if (!found || found.size === 0) return undefined
  const name = found.nameAt(frame)
  return name === undefined ? frame : { ...frame, name }
}

interface FileTests {
  /** The number of tests. */
  size: number
  nameAt(frame: Frame): string | undefined
}

/** Undefined if the file cannot be read. */
async function readTests(file: string): Promise<FileTests | undefined> {
  const found = await stat(file).catch(() => undefined)
  // A pipe would never end.
  if (!found?.isFile() || found.size > maxLength) return undefined
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const kind = /\.[cm]?ts$/i.test(file) ? ts.ScriptKind.TS : ts.ScriptKind.TSX
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind)
  const calls = [...findCalls(source, [], new Set())]
  return {
    size: calls.length,
    nameAt({ line, column = 1 }) {
      const starts = source.getLineStarts()
      const start = starts[line - 1]
      if (start === undefined) return undefined
      // Without a column, a test that begins in the middle of the line counts as well.
      const inner = calls.filter(({ from, to }) => {
        const at = column > 1 ? start + column - 1 : Math.max(start, from)
        return from <= at && at < to && at < (starts[line] ?? text.length + 1)
      })
      return inner.at(-1)?.name
    },
  }
}

interface FoundTest {
  from: number
  to: number
  name: string | undefined
}

/**
 * @param outer titles of the groups around; undefined for those that are not certain
 * @param contexts names of the first parameters of the tests around, whose `test` is a test in a test
 */
function* findCalls(
  node: ts.Node,
  outer: readonly (string | undefined)[],
  contexts: ReadonlySet<string>,
): Generator<FoundTest> {
  let titles = outer
  let inner = contexts
  if (ts.isCallExpression(node)) {
    const names = namesOf(node.expression)
    const body = node.arguments.slice(1).find((each) => ts.isArrowFunction(each) || ts.isFunctionExpression(each))
    const kind = body && kindOf(names, contexts)
    if (kind !== undefined) titles = [...outer, titleOf(node, names)]
    if (kind === 'test') {
      yield { from: node.pos, to: node.end, name: nameOf(titles) }
      const context = (body as ts.ArrowFunction).parameters[0]?.name
      if (context && ts.isIdentifier(context)) inner = new Set([...contexts, context.text])
    }
  }
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* findCalls(child, titles, inner)
}

/** What a call declares. Undefined for hooks, and for functions of others that have such a name. */
function kindOf(names: readonly string[], contexts: ReadonlySet<string>): 'test' | 'group' | undefined {
  const end = names.findLastIndex((name, index) => index === 0 || !modifier.test(name))
  const [first = '', second, ...others] = names.slice(0, end + 1)
  if (others.length > 0) return undefined
  if (second === undefined) return tests.has(first) ? 'test' : groups.has(first) ? 'group' : undefined
  if (contexts.has(first) && tests.has(second)) return 'test'
  return tests.has(first) && groups.has(second) ? 'group' : undefined
}

/** The names in `test.concurrent.each(rows)`, the first one first. Empty for a call of another form. */
function namesOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) {
    const before = namesOf(callee.expression)
    return before.length > 0 ? [...before, callee.name.text] : []
  }
  const inner = ts.isCallExpression(callee)
    ? callee.expression
    : ts.isTaggedTemplateExpression(callee)
      ? callee.tag
      : undefined
  const names = inner ? namesOf(inner) : []
  // `test.each(rows)` returns a test, and `string()` something else.
  return modifier.test(names.at(-1) ?? '') ? names : []
}

function titleOf({ arguments: [title] }: ts.CallExpression, names: readonly string[]): string | undefined {
  if (!title || !ts.isStringLiteralLike(title)) return undefined
  return names.some((name) => repeating.has(name)) && /[%$]/.test(title.text) ? undefined : title.text
}

/** Undefined without a title of its own; groups whose titles are not certain are left out with those around them. */
function nameOf(titles: readonly (string | undefined)[]): string | undefined {
  if (titles.at(-1) === undefined) return undefined
  return titles.slice(titles.lastIndexOf(undefined) + 1).join(' > ')
}
