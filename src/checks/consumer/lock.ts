/** The lock: what a consumer used when it was last agreed on, as a file that people review. */
import { isObject } from '../../json/own-value.js'
import { parseJsonFile, unreadable as unreadableFile } from '../json-file.js'

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

/** @param file its name in errors @throws SandboxError `UNREADABLE_FILE` */
export function parseLock(text: string, file: string): Lock {
  const unreadable = (why: string, remedy = 'Correct or remove it') => unreadableFile('lock', file, why, remedy)
  const lock = parseJsonFile(text, 'lock', file, replaceIt)
  if (!isObject(lock) || !isObject(lock['operations'])) throw unreadable('it is JSON, but not a lock', replaceIt)
  if (lock['version'] !== version) {
    const found = JSON.stringify(lock['version'])
    throw unreadable(`its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const check = (value: string, form: keyof typeof forms, at: string): string => {
    const [expected, words] = forms[form]
    if (expected.test(value)) return value
    throw unreadable(`${at} has ${JSON.stringify(value)}, which is not ${words}`)
  }
  const listOf = (value: unknown, form: keyof typeof forms, at: string): string[] => {
    if (value === undefined) return []
    if (!Array.isArray(value)) throw unreadable(`${at} is not a list`)
    const other: unknown = value.find((each) => typeof each !== 'string')
    if (other !== undefined) throw unreadable(`${at} has ${JSON.stringify(other)}, which is not text`)
    return value.map((each) => check(each, form, at))
  }
  const membersOf = (value: unknown = {}, at = '', ...names: string[]): Record<string, unknown> => {
    if (!isObject(value)) throw unreadable(`${at} is not an object`)
    const unknown = Object.keys(value).find((name) => names.length > 0 && !names.includes(name))
    if (unknown === undefined) return value
    throw unreadable(`${at} has the unknown member "${unknown}"; known: ${names.join(', ')}`)
  }
  membersOf(lock, 'it', 'version', 'operations', 'reads')
  const twice = nameGivenTwice(text)
  if (twice !== undefined) throw unreadable(`it has ${twice} twice in one object`)
  const uses: Use[] = []
  for (const [name, locked] of Object.entries(lock['operations'])) {
    const operation = check(name, 'operation', '"operations"')
    const own = membersOf(locked, `"${operation}"`, 'credentials', 'parameters', 'types', 'body', 'responses')
    const known = uses.length
    const add = (part: Use['part'], form: keyof typeof forms, kinds: unknown, at = '') => {
      for (const kind of listOf(kinds, form, `"${at || part}" of "${operation}"`))
        uses.push({ operation, part, at, kind })
    }
    add('credentials', 'text', own['credentials'])
    add('type', 'text', own['types'])
    for (const [part, member, form] of [
      ['parameter', 'parameters', 'parameter'],
      ['body', 'body', 'property'],
    ] as const) {
      const place = `"${member}" of "${operation}"`
      for (const [at, kinds] of Object.entries(membersOf(own[member], place))) {
        const before = uses.length
        add(part, 'value', kinds, check(at, form, place))
        if (uses.length === before) throw unreadable(`"${at}" of "${operation}" is empty`)
      }
    }
    for (const [status, response] of Object.entries(membersOf(own['responses'], `"responses" of "${operation}"`))) {
      const place = `"${check(status, 'status', `"responses" of "${operation}"`)}" of "${operation}"`
      const { types, properties } = membersOf(response, place, 'types', 'properties')
      add('response', 'text', types, status)
      // An answer without content is a use, too.
      if (![types].flat()[0]) uses.push({ operation, part: 'response', at: status, kind: '' })
      for (const path of listOf(properties, 'text', `"properties" of ${place}`))
        uses.push({ operation, part: 'returned', at: `${status} ${path}`, kind: '' })
    }
    if (uses.length === known) throw unreadable(`"${operation}" has no use`)
  }
  const reads = Object.entries(membersOf(lock['reads'], '"reads"')).map(([at, paths]) => {
    check(at, 'operation', '"reads"')
    return [at, listOf(paths, 'text', `"reads" of "${at}"`)] as const
  })
  return { uses, reads: Object.fromEntries(reads) }
}

/** What the texts of a lock look like. */
const forms = {
  operation: [/^[!#$%&'*+.^_`|~\w-]+ \/.*$/s, 'a method and a path, such as "GET /orders"'],
  parameter: [/^(?:path|query|querystring|header|cookie) \S.*$/s, 'a place and a name, such as "query limit"'],
  value: [
    /^(?:absent|null|fraction|other|several|repeated|[=~].*|of \d.*)$/s,
    '"absent", "null", "fraction", "other", "several", "repeated", "=…", "~…" or "of … characters"',
  ],
  status: [/^[1-5]\d\d$/, 'a status from 100 to 599'],
  property: [/^$|\S/, 'a property, or empty for the whole body'],
  text: [/\S/, 'a name'],
} as const

/** A name that one object has twice, and of which `JSON.parse` reads the last one. @returns it in quotes */
function nameGivenTwice(text: string): string | undefined {
  const open: Set<unknown>[] = []
  for (const [token, name] of text.matchAll(
    /("[^"\\]*(?:\\.[^"\\]*)*")(?=\s*:)|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[{}]/g,
  )) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined && open.at(-1)?.has(JSON.parse(name))) return name
    else if (name !== undefined) open.at(-1)?.add(JSON.parse(name))
  }
  return undefined
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-lock'

/** Something that a consumer uses. */
export interface Use {
  /** Method and documented path. */
  operation: string
  part: 'operation' | 'parameter' | 'type' | 'body' | 'credentials' | 'response' | 'returned'
  /** The parameter with its place, the path of a property, or the status; of `returned`, status and path. */
  at: string
  /** The class of the value (`absent`, `null`, `=available`, `other` …), the media type or the kind of credentials. */
  kind: string
}

/** Maximum values that a lock keeps of one place. */
export const maxSentValues = 8

/** Whether a kind is a value that was sent, `~ab-17`, and not its class. Tests may send other values in each run. */
export function isSentValue(kind: string): boolean {
  return kind.startsWith('~')
}

/** Identifies a use. No part contains a tab. */
export function keyOf({ operation, part, at, kind }: Use): string {
  return [operation, part, at, kind].join('\t')
}
