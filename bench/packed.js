/** Packs the package with npm. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workFolder } from './work-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))
let packed

/** @returns the path of the tarball, its size, and its unpacked size in bytes */
export function pack() {
  if (packed === undefined) {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', workFolder()]
    const output = execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    const [{ filename, size, unpackedSize }] = JSON.parse(output)
    packed = { file: join(workFolder(), filename), size, unpackedSize }
  }
  return packed
}
