/** JSON Patch (RFC 6902), with JSON Pointers (RFC 6901). */
import { copyValue, countCharacters } from './copy.js'
import { isTooDeep, maxDepth } from './exact-json.js'
import { fromJsonPointer } from './json-pointer.js'
import { PatchError } from './patch-error.js'
import { isSameJson } from './same-json.js'

interface PatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  path: string
  from?: string
  value?: unknown
}

/** Maximum number of copied values: copying everything into itself doubles the size with each operation. */
const maxCopies = 100_000
/** Maximum number of copied characters, because a value may be a long text. */
const maxCopiedCharacters = 16 * 1024 * 1024

/**
 * Applies all operations or none. Returns a new value and never changes the target.
 * @throws PatchError for an invalid JSON Patch, a path that does not exist, and a failed test
 *
 * @example jsonPatch({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }]) // { a: 2 }
 */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  const root: Root = { value: copyValue(target), copies: 0, copiedCharacters: 0 }
  for (const [index, operation] of readOperations(patch).entries()) applyOperation(root, operation, index)
  if (isTooDeep(root.value)) throw new PatchError(`The result must not be nested deeper than ${maxDepth} levels`)
  return root.value
}

/** The copy that the operations change. */
interface Root {
  value: unknown
  /** Number of copied values. */
  copies: number
  copiedCharacters: number
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
      throw new PatchError(`[${index}].op must be one of ${allowed} (got ${show(op)})`)
    }
    const missing = ['path', ...members].find((name) => !Object.hasOwn(operation, name))
    if (missing !== undefined) throw new PatchError(`[${index}].${missing} is required`)
    checkPointer(path, `[${index}].path`)
    if (members.includes('from')) checkPointer(from, `[${index}].from`)
    return operation as unknown as PatchOperation
  })
}

function checkPointer(pointer: unknown, name: string): void {
  if (typeof pointer === 'string' && (pointer === '' || pointer.startsWith('/')) && !/~(?![01])/.test(pointer)) return
  throw new PatchError(`${name} must be a JSON Pointer such as /name (got ${show(pointer)})`)
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value === null ? null : typeof value)
}

function applyOperation(root: Root, { op, path, from = '', value }: PatchOperation, index: number): void {
  const place = `[${index}].path "${path.slice(0, 100)}"`
  const source = `[${index}].from "${from.slice(0, 100)}"`
  switch (op) {
    case 'add':
      add(root, path, copyValue(value), place)
      break
    case 'remove':
      remove(root, path, place)
      break
    case 'replace':
      remove(root, path, place)
      add(root, path, copyValue(value), place)
      break
    case 'copy':
      add(root, path, copyWithin(root, from, source), place)
      break
    case 'move':
      if (path.startsWith(`${from}/`)) throw new PatchError(`${place} is inside the value that it moves`)
      add(root, path, remove(root, from, source), place)
      break
    case 'test':
      if (isSameJson(get(root, path, place), value)) break
      throw new PatchError(`${place} does not have the tested value`)
  }
}

function copyWithin(root: Root, from: string, source: string): unknown {
  const copied = get(root, from, source)
  root.copies += sizeOf(copied)
  if (root.copies > maxCopies) throw new PatchError(`${source} copies more than ${maxCopies} values`)
  root.copiedCharacters += countCharacters(copied)
  if (root.copiedCharacters > maxCopiedCharacters) {
    throw new PatchError(`${source} copies more than ${maxCopiedCharacters} characters`)
  }
  return copyValue(copied)
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((size: number, item) => size + sizeOf(item), 1)
}

function get(root: Root, pointer: string, place: string): unknown {
  return fromJsonPointer(pointer).reduce((value, token) => {
    if (Array.isArray(value)) return value[toIndex(token, value.length - 1, place)]
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, token)) {
      return (value as Record<string, unknown>)[token]
    }
    throw new PatchError(`${place} does not exist`)
  }, root.value)
}

type Parent = unknown[] | Record<string, unknown>

/** Finds the array or object that contains the last part of a pointer. Undefined for the whole value. */
function findParent(root: Root, pointer: string, place: string): { parent: Parent; token: string } | undefined {
  const last = pointer.lastIndexOf('/')
  if (last === -1) return undefined
  const parent = get(root, pointer.slice(0, last), place)
  if (typeof parent !== 'object' || parent === null) throw new PatchError(`${place} does not exist`)
  return { parent: parent as Parent, token: fromJsonPointer(pointer.slice(last))[0] ?? '' }
}

function add(root: Root, pointer: string, value: unknown, place: string): void {
  const found = findParent(root, pointer, place)
  if (!found) root.value = value
  else if (Array.isArray(found.parent)) {
    const { parent, token } = found
    parent.splice(token === '-' ? parent.length : toIndex(token, parent.length, place), 0, value)
  } else {
    // Works for a property named __proto__, too.
    Object.defineProperty(found.parent, found.token, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** @returns the removed value */
function remove(root: Root, pointer: string, place: string): unknown {
  const removed = get(root, pointer, place)
  const found = findParent(root, pointer, place)
  if (!found) root.value = null
  else if (Array.isArray(found.parent)) found.parent.splice(Number(found.token), 1)
  else delete found.parent[found.token]
  return removed
}

function toIndex(token: string, last: number, place: string): number {
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN
  if (index <= last) return index
  throw new PatchError(`${place} does not exist: the last index is ${last}`)
}
