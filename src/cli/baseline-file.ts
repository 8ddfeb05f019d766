/** The file of `--baseline`: read before the run, and written after it on request. */
import { existsSync } from 'node:fs'
import { parseBaseline, renderBaseline } from '../checks/baseline.js'
import type { Finding } from '../checks/finding.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { readTextFile } from '../node/read-text-file.js'
import { checkWritable, writeWholeFile } from './write-file.js'

/** A baseline that was read and can be written. */
export interface BaselineFile {
  file: string
  /** Ids of its findings before the run. */
  ids: readonly string[]
  isToBeUpdated: boolean
  write(findings: readonly Finding[]): Promise<void>
}

/**
 * Undefined without `--baseline`.
 * @throws SandboxError `INVALID_OPTION` or `UNREADABLE_FILE`
 */
export async function openBaseline(
  file: string | undefined,
  isToBeUpdated: boolean,
): Promise<BaselineFile | undefined> {
  if (file === undefined) {
    if (!isToBeUpdated) return undefined
    throw new SandboxError('INVALID_OPTION', '--update-baseline needs --baseline <file>: the file to write')
  }
  const isThere = existsSync(file)
  if (!isThere && !isToBeUpdated) {
    throw new SandboxError(
      'UNREADABLE_FILE',
      `Failed to read the baseline "${file}": there is no such file. Add --update-baseline once to create it`,
    )
  }
  if (isToBeUpdated) await checkWritable(file)
  const ids = isThere ? parseBaseline(await readTextFile(file), file, isToBeUpdated) : []
  return { file, ids, isToBeUpdated, write: (findings) => writeWholeFile(file, renderBaseline(findings)) }
}
