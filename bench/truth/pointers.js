/** JSON pointers (RFC 6901) into requests and answers. */
export const toSegment = (key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')
const toKey = (segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')
const toKeys = (pointer) => pointer.split('/').slice(1).map(toKey)

export function valueAt(value, pointer) {
  return toKeys(pointer).reduce((inner, key) => inner?.[key], value)
}

/** Replaces the value at a pointer by what `change` returns for it. */
export function changeAt(value, pointer, change) {
  const keys = toKeys(pointer)
  const last = keys.pop()
  const parent = keys.reduce((inner, key) => inner[key], value)
  parent[last] = change(parent[last])
}
