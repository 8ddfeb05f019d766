/** The file of `--lock`: read before the run, compared with it, and written after it on request. */
import { existsSync } from 'node:fs'
import { isSentValue, keyOf, type Lock, parseLock, renderLock, type Use } from '../checks/consumer/lock.js'
import { describeUse } from '../checks/consumer/rules/operation-rules.js'
import { plural } from '../checks/reports/report-texts.js'
import type { Operation } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { readTextFile } from '../node/read-text-file.js'
import { checkWritable, writeWholeFile } from './write-file.js'

/** A lock that was read and can be written. */
export interface LockFile extends Lock {
  file: string
  isToBeUpdated: boolean
}

/**
 * Undefined without `--lock`.
 * @param operations those of the document
 * @throws SandboxError `INVALID_OPTION` or `UNREADABLE_FILE`
 */
export async function openLock(
  file: string | undefined,
  isToBeUpdated: boolean,
  operations: readonly Operation[],
): Promise<LockFile | undefined> {
  if (file === undefined) {
    if (!isToBeUpdated) return undefined
    throw new SandboxError('INVALID_OPTION', '--update-lock needs --lock <file>: the file to write')
  }
  const isThere = existsSync(file)
  if (!isThere && !isToBeUpdated) {
    const why = 'there is no such file; write it with --update-lock'
    throw new SandboxError('UNREADABLE_FILE', `Failed to read the lock "${file}": ${why}`)
  }
  if (isToBeUpdated) await checkWritable(file)
  const lock = isThere ? parseLock(await readTextFile(file), file) : { uses: [], reads: {} }
  const names = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  if (lock.uses.length > 0 && !isToBeUpdated && !lock.uses.some(({ operation }) => names.has(operation))) {
    const why = `none of its operations is in the document, such as ${lock.uses[0]?.operation}`
    throw new SandboxError(
      'UNREADABLE_FILE',
      `Failed to use the lock "${file}": ${why}. Is it the lock of another API?`,
    )
  }
  // What a new lock will have is no finding.
  return { ...lock, uses: isToBeUpdated ? [] : lock.uses, file, isToBeUpdated }
}

/** Maximum unused entries that are listed. */
const maxListed = 10

/**
 * Writes the lock if that was requested and nothing can be missing.
 * @param why why uses may be missing; undefined if none is
 * @returns sentences without a full stop: what was written, or what did not occur
 */
export async function finishLock(
  { file, uses: known, reads, isToBeUpdated }: LockFile,
  uses: readonly Use[],
  why: string | undefined,
): Promise<string[]> {
  if (!isToBeUpdated) {
    if (why !== undefined) return []
    const met = new Set(uses.map(keyOf))
    const isNoted = ({ part, kind }: Use) => part !== 'returned' && !isSentValue(kind)
    const gone = known.filter((use) => isNoted(use) && !met.has(keyOf(use)))
    if (gone.length === 0) return []
    const listed = gone.slice(0, maxListed).map(describeUse)
    const more = gone.length > listed.length ? [`and ${gone.length - listed.length} more`] : []
    return [`The lock ${file} has ${plural(gone.length, 'use')} that did not occur: ${[...listed, ...more].join('; ')}`]
  }
  if (why !== undefined) return [`The lock ${file} was not written, as ${why}`]
  await writeWholeFile(file, renderLock({ uses, reads }))
  return [`The lock ${file} was written`]
}
