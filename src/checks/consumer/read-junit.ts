/** Reads the results of tests from JUnit XML, as test runners write it. */
import { DOMParser, type Element } from '@xmldom/xmldom'
import { SandboxError } from '../../contract/sandbox-error.js'

export interface TestResult {
  /** The same in each run: file, class, groups and name. */
  id: string
  name: string
  className: string
  /** Names of the suites around it, the outermost first. */
  suites: readonly string[]
  /** Absent if the runner does not write it. */
  file?: string
  line?: number
  status: 'passed' | 'failed' | 'skipped'
  /** The first line of the failure. */
  message?: string
}

/** Characters that XML forbids, and that runners write nevertheless, such as colours of a terminal. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal, with or without their escape character
const colours = /(?:\u001b|\ufffd|&#(?:27|x1b);)\[[\d;]*m/gi
const maxMessage = 300

/**
 * The results of all tests. Of several with one id, such as retries in some runners, a failure counts.
 * @param file its name in errors
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function readJunit(text: string, file: string): TestResult[] {
  const results = new Map<string, TestResult>()
  const root = parse(text, file)
  for (const found of casesIn(root, root.tagName === 'testsuite' ? [root.getAttribute('name') ?? ''] : [])) {
    const known = results.get(found.id)
    if (!known || known.status === 'skipped' || found.status === 'failed') results.set(found.id, found)
  }
  return [...results.values()]
}

function parse(text: string, file: string): Element {
  const fail = (why: string) => new SandboxError('UNREADABLE_FILE', `Failed to read the results "${file}": ${why}`)
  if (text.trim() === '') throw fail('it is empty')
  let root: Element | null
  try {
    const onError = (level: string, message: string) => {
      if (level !== 'warning') throw new Error(message.split('\n')[0])
    }
    const xml = text.trim().replace(colours, '').replace(forbidden, '\ufffd')
    root = new DOMParser({ onError }).parseFromString(xml, 'text/xml').documentElement
  } catch (error) {
    throw fail(`it is not XML: ${(error as Error).message}`)
  }
  if (root && /^testsuites?$/.test(root.tagName)) return root
  throw fail(`it is XML, but not JUnit: its root is <${root?.tagName}>`)
}

function* casesIn(element: Element, suites: readonly string[]): Generator<TestResult> {
  for (const child of childrenOf(element)) {
    if (child.tagName === 'testsuite') yield* casesIn(child, [...suites, child.getAttribute('name') ?? ''])
    if (child.tagName === 'testcase') yield toResult(child, suites, element)
  }
}

function toResult(element: Element, suites: readonly string[], suite: Element): TestResult {
  const name = element.getAttribute('name') ?? ''
  const className = element.getAttribute('classname') ?? ''
  // Some runners name the file at the suite.
  const file = element.getAttribute('file') || suite.getAttribute('file') || undefined
  const line = Number(element.getAttribute('line') || Number.NaN)
  const children = childrenOf(element)
  const failure = children.find(({ tagName }) => tagName === 'failure' || tagName === 'error')
  const isSkipped = children.some(({ tagName }) => tagName === 'skipped')
  const said = failure && (failure.getAttribute('message') || failure.textContent || failure.getAttribute('type'))
  const [message = ''] = (said ?? '').trim().split('\n', 1)
  return {
    id: JSON.stringify([file ?? '', className, ...suites, name]),
    name,
    className,
    suites,
    ...(file !== undefined && { file }),
    ...(Number.isInteger(line) && { line }),
    status: failure ? 'failed' : isSkipped ? 'skipped' : 'passed',
    ...(failure && { message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message }),
  }
}

function childrenOf(element: Element): Element[] {
  return [...element.childNodes].filter((node): node is Element => node.nodeType === node.ELEMENT_NODE)
}
