/** The lock: what a consumer used when it was last agreed on, as a file that people review. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { lineOfJsonError } from '../../json/json-error-line.js'
import { isObject } from '../../json/own-value.js'
import { keyOf, type Use } from './use.js'

const version = 1

/** The content of a lock. */
export interface Lock {
  uses: readonly Use[]
  /** Properties of responses that the consumer reads, by method, path and status. Written by people, and kept. */
  reads: Readonly<Record<string, readonly string[]>>
}

interface LockedOperation {
  credentials: string[]
  parameters: Record<string, string[]>
  types: string[]
  body: Record<string, string[]>
  responses: Record<string, { types: string[]; properties: string[] }>
}

/** JSON with sorted members, one use in each line, so that changes are easy to review. */
export function renderLock({ uses, reads }: Lock): string {
  const operations: Record<string, LockedOperation> = {}
  for (const { operation, part, at, kind } of [...uses].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    operations[operation] ??= { credentials: [], parameters: {}, types: [], body: {}, responses: {} }
    const { credentials, parameters, types, body, responses } = operations[operation]
    if (part === 'credentials') credentials.push(kind)
    else if (part === 'type') types.push(kind)
    else if (part === 'parameter') parameters[at] = [...(parameters[at] ?? []), kind]
    else if (part === 'body') body[at] = [...(body[at] ?? []), kind]
    else {
      const [, status = '', path = ''] = /^(\d+) ?(.*)$/s.exec(at) ?? []
      responses[status] ??= { types: [], properties: [] }
      if (part === 'returned') responses[status].properties.push(path)
      else if (kind !== '') responses[status].types.push(kind)
    }
  }
  return `${JSON.stringify({ version, operations, reads }, null, 2)}\n`
}

/**
 * @param file its name in errors
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function parseLock(text: string, file: string): Lock {
  const lock = readJson(text.replace(/^\ufeff/, ''), file)
  if (!isObject(lock) || !isObject(lock['operations'])) throw unreadable(file, 'it is JSON, but not a lock', replaceIt)
  if (lock['version'] !== version) {
    const found = JSON.stringify(lock['version'])
    throw unreadable(file, `its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const uses: Use[] = []
  for (const [operation, locked] of Object.entries(lock['operations'])) {
    const add = (part: Use['part'], at: string, kind: unknown) => {
      if (typeof kind !== 'string') throw unreadable(file, `"${operation}" has an entry that is not text`, replaceIt)
      uses.push({ operation, part, at, kind })
    }
    const { credentials, parameters, types, body, responses } = isObject(locked) ? locked : {}
    for (const kind of listOf(credentials)) add('credentials', '', kind)
    for (const kind of listOf(types)) add('type', '', kind)
    for (const [at, kinds] of entriesOf(parameters)) for (const kind of listOf(kinds)) add('parameter', at, kind)
    for (const [at, kinds] of entriesOf(body)) for (const kind of listOf(kinds)) add('body', at, kind)
    for (const [status, response] of entriesOf(responses)) {
      const { types: own, properties } = isObject(response) ? response : {}
      const kinds = listOf(own)
      for (const kind of kinds.length > 0 ? kinds : ['']) add('response', status, kind)
      for (const path of listOf(properties)) add('returned', `${status} ${String(path)}`, '')
    }
  }
  return { uses, reads: readsOf(lock['reads'], file) }
}

function readsOf(value: unknown, file: string): Record<string, string[]> {
  if (value !== undefined && !isObject(value)) throw unreadable(file, '"reads" is no object', 'Correct or remove it')
  const reads: Record<string, string[]> = {}
  for (const [at, paths] of entriesOf(value)) {
    if (!Array.isArray(paths)) throw unreadable(file, `"reads" of "${at}" is not a list`, 'Correct or remove it')
    reads[at] = paths.map((path: unknown) => {
      if (typeof path === 'string') return path
      throw unreadable(file, `"reads" of "${at}" has an entry that is not text`, 'Correct or remove it')
    })
  }
  return reads
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const line = lineOfJsonError(text, error)
    throw unreadable(
      `${file}${line === undefined ? '' : `:${line}`}`,
      `it is not JSON: ${(error as Error).message}`,
      replaceIt,
    )
  }
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-lock'

function unreadable(file: string, why: string, remedy: string): SandboxError {
  return new SandboxError('UNREADABLE_FILE', `Failed to read the lock "${file}": ${why}. ${remedy}`)
}
