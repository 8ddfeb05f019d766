/** Limits an update to the properties that its request names. Only `relations.ts` uses it, so that other bundles drop it. */
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import type { Values } from '../../state/stored-record.js'

/**
 * @param before what the update changes: an object in it keeps what a mask such as `owner.name` does not name
 * @param mask `title,owner.name`, or several of them
 * @returns the whole body if the mask names none of its properties, or all
 */
export function maskedChange(
  body: Readonly<Record<string, unknown>>,
  before: Values,
  mask: readonly string[],
): Record<string, unknown> {
  const paths = mask
    .flatMap((each) => each.split(','))
    .map((each) => each.trim().split('.'))
    .map((path) => [path, path.map(toCamelCase)].find((each) => valueAt(body, each) !== undefined))
  const known = paths.filter((path) => path !== undefined)
  if (known.length === 0) return body
  let changed: Record<string, unknown> = {}
  for (const path of known) {
    const [first = ''] = path
    const kept = path.length > 1 && !Object.hasOwn(changed, first) ? ownValue(before as typeof body, first) : undefined
    changed = withNested(isObject(kept) ? { ...changed, [first]: kept } : changed, path, valueAt(body, path))
  }
  return changed
}

/** Masks may have the names of Protocol Buffers: `display_name` for `displayName`. */
function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
