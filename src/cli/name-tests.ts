/** Finds the titles of tests in their source, by the lines of their frames. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import ts from 'typescript'
import type { Frame, TestFrame } from '../checks/consumer/sources.js'
import type { Finding } from '../checks/finding.js'

/** Maximum characters of a file that is parsed. */
const maxLength = 2_000_000
/** The functions of test runners, by their names or as properties: `it.skip`, `t.test`. */
const tests = new Set(['test', 'it', 'specify', 'fit', 'xit'])
const groups = new Set(['describe', 'suite', 'context', 'fdescribe', 'xdescribe'])
/** These repeat a test with values, which its title may quote. */
const repeating = new Set(['each', 'for'])

/**
 * Adds the names of tests to the sources of findings. A frame outside of the tests of its file gets no name, and one whose file
 * has no tests is dropped.
 * @param folder where the command was started
 */
export async function nameTests(findings: readonly Finding[], folder: string): Promise<Finding[]> {
  const files = new Map<string, Promise<FileTests | undefined>>()
  const open = (file: string) => {
    const known = files.get(file) ?? readTests(resolve(folder, file))
    files.set(file, known)
    return known
  }
  return Promise.all(
    findings.map(async (finding) => {
      if (!finding.sources) return finding
      const sources = finding.sources.map(async ({ test, ...source }) => {
        const named = test && toTestFrame(test, await open(test.file))
        return { ...source, ...(named && { test: named }) }
      })
      return { ...finding, sources: await Promise.all(sources) }
    }),
  )
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
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined || text.length > maxLength) return undefined
  const kind = /\.[cm]?ts$/i.test(file) ? ts.ScriptKind.TS : ts.ScriptKind.TSX
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind)
  const found = [...findCalls(source, [])]
  return {
    size: found.length,
    nameAt({ line, column = 1 }) {
      const starts = source.getLineStarts()
      const start = starts[line - 1]
      if (start === undefined) return undefined
      // Without a column, a test that begins in the middle of the line counts as well.
      const inner = found.filter(({ from, to }) => {
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

/** @param outer titles of the groups around; undefined for those that are not certain */
function* findCalls(node: ts.Node, outer: readonly (string | undefined)[]): Generator<FoundTest> {
  let titles = outer
  if (ts.isCallExpression(node)) {
    const names = namesOf(node.expression)
    const hasBody = node.arguments.slice(1).some((each) => ts.isArrowFunction(each) || ts.isFunctionExpression(each))
    const isTest = hasBody && names.some((name) => tests.has(name))
    if (isTest || (hasBody && names.some((name) => groups.has(name)))) {
      titles = [...outer, titleOf(node, names)]
      if (isTest) yield { from: node.pos, to: node.end, name: nameOf(titles) }
    }
  }
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* findCalls(child, titles)
}

/** The names in `test.concurrent.each(rows)`, the first one first. */
function namesOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return namesOf(callee.expression)
  return ts.isTaggedTemplateExpression(callee) ? namesOf(callee.tag) : []
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
