/** Chooses what a document gets of `--overlay` or `--overrides`: that file, or the one with its name if that is a folder. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export function overlayOf(name, overlay) {
  return fileOf(name, overlay, ['yaml'])
}

export function overridesOf(name, overrides) {
  return fileOf(name, overrides, ['ts', 'js', 'mjs'])
}

function fileOf(name, given, extensions) {
  if (given === undefined) return undefined
  if (!statSync(given).isDirectory()) return resolve(given)
  return extensions.map((extension) => resolve(given, `${name}.${extension}`)).find((file) => existsSync(file))
}
