/** JSON Patch (RFC 6902), with JSON Pointers (RFC 6901). */
import { PatchError } from './patch-error.js'
import { isSameJson } from './same-json.js'

interface PatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  path: string
  from?: string
  value?: unknown
}

/**
 * Applies all operations or none. Returns a new value and never changes the target.
 * @throws PatchError for an invalid JSON Patch, a path that does not exist, and a failed test
 *
 * @example jsonPatch({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }]) // { a: 2 }
 */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  return readOperations(patch).reduce(applyOperation, target)
}

const requiredMembers: Record<string, readonly string[]> = {
  add: ['value'],
  remove: [],
  replace: ['value'],
  move: ['from'],
  copy: ['from'],
  test: ['value'],
}

function readOperations(patch: unknown): PatchOperation[] {
  if (!Array.isArray(patch)) throw new PatchError('A JSON Patch must be an array of operations')
  return patch.map((each: unknown, index) => {
    const operation = (typeof each === 'object' && each !== null ? each : {}) as Record<string, unknown>
    const { op, path, from } = operation
    const members = typeof op === 'string' && Object.hasOwn(requiredMembers, op) ? requiredMembers[op] : undefined
    if (!members) {
      const allowed = Object.keys(requiredMembers).join(', ')
      throw new PatchError(`[${index}].op must be one of ${allowed} (got ${JSON.stringify(op)})`)
    }
    const missing = ['path', ...members].find((name) => !Object.hasOwn(operation, name))
    if (missing !== undefined) throw new PatchError(`[${index}].${missing} is required`)
    for (const [name, pointer] of Object.entries({ path, ...(members.includes('from') ? { from } : {}) })) {
      if (typeof pointer !== 'string' || !/^(?:\/(?:[^~]|~[01])*)?$/.test(pointer)) {
        throw new PatchError(`[${index}].${name} must be a JSON Pointer such as /name (got ${JSON.stringify(pointer)})`)
      }
    }
    return operation as unknown as PatchOperation
  })
}

function applyOperation(target: unknown, operation: PatchOperation, index: number): unknown {
  const { op, path, from = '', value } = operation
  const at = toTokens(path)
  const place = `[${index}].path "${path}"`
  const source = `[${index}].from "${from}"`
  switch (op) {
    case 'add':
      return add(target, at, value, place)
    case 'remove':
      return remove(target, at, place)
    case 'replace':
      get(target, at, place)
      return at.length === 0 ? value : add(remove(target, at, place), at, value, place)
    case 'copy':
      return add(target, at, get(target, toTokens(from), source), place)
    case 'move': {
      if (path.startsWith(`${from}/`)) throw new PatchError(`${place} is inside the value that it moves`)
      const moved = get(target, toTokens(from), source)
      return path === from ? target : add(remove(target, toTokens(from), source), at, moved, place)
    }
    case 'test':
      if (isSameJson(get(target, at, place), value)) return target
      throw new PatchError(`${place} does not have the tested value`)
  }
}

function toTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function get(target: unknown, tokens: readonly string[], place: string): unknown {
  return tokens.reduce((value, token) => {
    if (Array.isArray(value)) return value[toIndex(token, value.length - 1, place)]
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, token)) {
      return (value as Record<string, unknown>)[token]
    }
    throw new PatchError(`${place} does not exist`)
  }, target)
}

function add(target: unknown, tokens: readonly string[], value: unknown, place: string): unknown {
  return change(
    target,
    tokens,
    place,
    (parent, token) => {
      if (!Array.isArray(parent)) return withProperty(parent, token, value)
      const index = token === '-' ? parent.length : toIndex(token, parent.length, place)
      return parent.toSpliced(index, 0, value)
    },
    value,
  )
}

function remove(target: unknown, tokens: readonly string[], place: string): unknown {
  get(target, tokens, place)
  return change(
    target,
    tokens,
    place,
    (parent, token) => {
      if (Array.isArray(parent)) return parent.toSpliced(Number(token), 1)
      return Object.fromEntries(Object.entries(parent).filter(([name]) => name !== token))
    },
    null,
  )
}

type Parent = unknown[] | Record<string, unknown>

/** Copies the parents of a place and edits the copy. @param whole the result for an empty pointer */
function change(
  target: unknown,
  tokens: readonly string[],
  place: string,
  edit: (parent: Parent, token: string) => unknown,
  whole: unknown,
): unknown {
  const [token, ...rest] = tokens
  if (token === undefined) return whole
  if (typeof target !== 'object' || target === null) throw new PatchError(`${place} does not exist`)
  if (rest.length === 0) return edit(target as Parent, token)
  const inner = change(get(target, [token], place), rest, place, edit, whole)
  return Array.isArray(target) ? target.with(Number(token), inner) : withProperty(target as Parent, token, inner)
}

function withProperty(parent: Parent, token: string, value: unknown): unknown {
  return Object.fromEntries(new Map(Object.entries(parent)).set(token, value))
}

function toIndex(token: string, last: number, place: string): number {
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN
  if (index <= last) return index
  throw new PatchError(`${place} does not exist: the last index is ${last}`)
}
