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
  const listOf = (value: unknown, at: string): string[] => {
    if (value === undefined) return []
    if (!Array.isArray(value)) throw unreadable(file, `${at} is not a list`, correctIt)
    if (value.every((each) => typeof each === 'string')) return value
    throw unreadable(file, `${at} has an entry that is not text`, correctIt)
  }
  const membersOf = (value: unknown = {}, at = '', ...names: string[]): Record<string, unknown> => {
    if (!isObject(value)) throw unreadable(file, `${at} is not an object`, correctIt)
    const unknown = Object.keys(value).find((name) => names.length > 0 && !names.includes(name))
    if (unknown === undefined) return value
    throw unreadable(file, `${at} has the unknown member "${unknown}"`, correctIt)
  }
  const uses: Use[] = []
  for (const [operation, locked] of Object.entries(lock['operations'])) {
    const own = membersOf(locked, `"${operation}"`, 'credentials', 'parameters', 'types', 'body', 'responses')
    const entriesOf = (name: string) => Object.entries(membersOf(own[name], `"${name}" of "${operation}"`))
    const add = (part: Use['part'], at: string, kinds: unknown, least: readonly string[] = []) => {
      const all = listOf(kinds, `"${at || part}" of "${operation}"`)
      for (const kind of all.length > 0 ? all : least) uses.push({ operation, part, at, kind })
    }
    add('credentials', '', own['credentials'])
    add('type', '', own['types'])
    for (const [at, kinds] of entriesOf('parameters')) add('parameter', at, kinds)
    for (const [at, kinds] of entriesOf('body')) add('body', at, kinds)
    for (const [status, response] of entriesOf('responses')) {
      const { types, properties } = membersOf(response, `"${status}" of "${operation}"`, 'types', 'properties')
      add('response', status, types, [''])
      for (const path of listOf(properties, `"properties" of "${status}" of "${operation}"`)) {
        uses.push({ operation, part: 'returned', at: `${status} ${path}`, kind: '' })
      }
    }
  }
  const reads = Object.entries(membersOf(lock['reads'], '"reads"'))
  return { uses, reads: Object.fromEntries(reads.map(([at, paths]) => [at, listOf(paths, `"reads" of "${at}"`)])) }
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

const correctIt = 'Correct or remove it'
const replaceIt = 'Name another file, or delete this one and create a new one with --update-lock'

function unreadable(file: string, why: string, remedy: string): SandboxError {
  return new SandboxError('UNREADABLE_FILE', `Failed to read the lock "${file}": ${why}. ${remedy}`)
}
