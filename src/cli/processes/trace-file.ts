/** The file in which processes of the command leave notes: which test has a key of its own, and errors of the tracer. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plural } from '../../checks/reports/report-texts.js'
import { isObject } from '../../json/own-value.js'
import type { Exchange } from '../../state/journal.js'

export interface TraceFile {
  /** For the command. */
  env: Record<string, string>
  /** The name of the test whose own key a request has. Undefined if no test has announced it, or more than one. */
  testOf(exchange: Exchange): string | undefined
  /** A sentence without a full stop if the tracer failed. */
  notes(): string[]
  remove(): void
}

/** Without a folder for it, there are no notes. */
export function createTraceFile(): TraceFile {
  const folder = makeFolder()
  const file = folder === undefined ? undefined : join(folder, 'notes.jsonl')
  const tests = new Map<string, Set<string>>()
  const errors: string[] = []
  let size = 0

  /** A test announces its key before it sends a request. */
  function update(): void {
    if (file === undefined || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === size) return
    const added = readFileSync(file).subarray(size)
    // Another process may be writing the last line.
    const end = added.lastIndexOf('\n') + 1
    size += end
    for (const line of added.toString('utf8', 0, end).split('\n')) read(line)
  }

  function read(line: string): void {
    const { key, test, error } = parse(line)
    if (typeof error === 'string') errors.push(error)
    if (typeof key !== 'string' || typeof test !== 'string') return
    tests.set(key, (tests.get(key) ?? new Set()).add(test))
  }

  return {
    env: file === undefined ? {} : { SANDBOX_TRACE_FILE: file },
    testOf({ key, request }) {
      update()
      if (tests.size === 0) return undefined
      // A request that was refused before its key was read has it as a word.
      const words = key === undefined ? [...request.headers, request.query].join(' ').split(/[^\w.-]+/) : [key]
      const names = new Set(words.flatMap((word) => [...(tests.get(word) ?? [])]))
      return names.size === 1 ? [...names][0] : undefined
    },
    notes() {
      update()
      const count = plural(errors.length, 'error')
      const text = `${count} in the module that finds the lines of requests; please report the first one: ${errors[0]}`
      return errors.length > 0 ? [text] : []
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'petstore-sandbox-'))
  } catch {
    return undefined
  }
}

/** Empty for what is no object. */
function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
