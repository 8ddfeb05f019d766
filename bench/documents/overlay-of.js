/** Chooses the overlay of a document: the one of `--overlay`, or `<name>.yaml` if that is a folder. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export function overlayOf(name, overlay) {
  if (overlay === undefined) return undefined
  if (!statSync(overlay).isDirectory()) return resolve(overlay)
  const file = resolve(overlay, `${name}.yaml`)
  return existsSync(file) ? file : undefined
}
