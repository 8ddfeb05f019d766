/** The two builds: of the other checkout, and of this one. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { oursIn } from '../servers/subjects.js'

const here = fileURLToPath(new URL('../..', import.meta.url))

export function toBuilds(against) {
  return [toBuild('before', resolve(against)), toBuild('after', here)]
}

function toBuild(id, folder) {
  const file = join(folder, 'dist/index.js')
  if (!existsSync(file)) throw new Error(`${file} does not exist: run "npm ci" there to build it`)
  return { id, folder, dist: pathToFileURL(file).href, subject: oursIn(`ours-${id}`, folder) }
}
