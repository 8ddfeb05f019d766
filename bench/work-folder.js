/** A temporary folder for one run, removed at its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder

export function workFolder() {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  return folder
}
