/** Refuses paths at which there can be no store, before anything is written. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { SandboxError } from '../contract/sandbox-error.js'

/** The `application_id` of our databases: "PSsb" in ASCII. */
export const applicationId = 0x50537362
/** The version of the format, in `user_version`. */
export const formatVersion = 1
/** Only our databases have this in their first page. */
export const signature = 'petstore-sandbox worlds'

const anew = 'to begin with an empty store'

export interface CheckedFile {
  /** The absolute path without symbolic links. */
  path: string
  /** Whether there is no file yet. */
  isNew: boolean
}

/** @throws SandboxError `UNREADABLE_FILE` */
export function checkFile(given: string): CheckedFile {
  if (given === '')
    throw new SandboxError('INVALID_OPTION', 'The path of the store "file:" is empty; write file:<path>')
  const folder = resolve(dirname(given))
  const fail = (reason: string): never => {
    throw new SandboxError('UNREADABLE_FILE', `Failed to open the store "${given}": ${reason}`)
  }
  if (!isFolder(folder)) fail(`there is no folder "${folder}"; create it first`)
  const path = toReal(join(realpathSync(folder), basename(given)))
  // SQLite would have its log beside the link, where the next start does not look for it.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    fail('it is a symbolic link to a file that does not exist; give its own path')
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) fail('it is a folder; give the path of a file in it')
  if (found && !found.isFile()) fail('it is not an ordinary file; give another path')
  if (found && found.nlink > 1)
    fail('it has several names (hard links), and its log only one of them; give a path of its own')
  if (found && isMountedAlone(path)) fail('only the file is mounted, without its log; mount its folder')
  for (const each of found ? [path, dirname(path)] : [dirname(path)]) {
    if (!isWritable(each)) fail(`this user may not write "${each}"; change its permissions, or give another path`)
  }
  const log = ['-wal', '-journal'].map((end) => `${path}${end}`).find((each) => existsSync(each))
  if (!found && log) fail(`there is only its log "${log}"; put the file back, or move the log away ${anew}`)
  if (!found) return { path, isNew: true }
  if (found.size === 0) fail(`it is empty; put a backup in its place if it had content, or remove it ${anew}`)
  const page = readStart(path)
  const isDatabase = page.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
  const isOurs = page.includes(signature)
  const hasId = page.length >= 72 && page.readUInt32BE(68) === applicationId
  if (isOurs && !(isDatabase && hasId)) fail(damageOf(path, 'its header is malformed'))
  if (!isDatabase) fail('it is not a database; give the path of a new file')
  if (!hasId) fail('it is a database of another program; give the path of a new file')
  const version = page.readUInt32BE(60)
  if (version > formatVersion && version < 1000)
    fail(`it has format ${version}, which is newer than format ${formatVersion}; use a newer version, or a new file`)
  if (version !== formatVersion) fail(damageOf(path, `its header has version ${version}`))
  return { path, isNew: false }
}

/** Nobody must go on without what all keys share. */
export function damageOf(path: string, why: string): string {
  const wayOut = `Put a backup in its place, without "${path}-wal", or move both files away ${anew}`
  return `it is damaged (${why}), and with it what all keys share, such as revoked keys. ${wayOut}`
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const page = Buffer.alloc(4096)
    return page.subarray(0, readSync(file, page, 0, page.length, 0))
  } finally {
    closeSync(file)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Whether a container has the file, but nothing that is beside it. */
function isMountedAlone(path: string): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    // Spaces are written as `\040`.
    return mounts.some((line) => line.split(' ')[4]?.replaceAll('\\040', ' ') === path)
  } catch {
    return false
  }
}

function toReal(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}
