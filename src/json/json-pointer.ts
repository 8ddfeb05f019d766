/** Reads and writes JSON Pointers (RFC 6901). */

/** @example toJsonPointer(['a/b', 0]) // '/a~1b/0' */
export function toJsonPointer(names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** @example fromJsonPointer('/a~1b/0') // ['a/b', '0'] */
export function fromJsonPointer(pointer: string): string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
