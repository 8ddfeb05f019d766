/** Writes files that users name on the command line. */
import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SandboxError } from '../contract/sandbox-error.js'

/**
 * Replaces a file atomically, so that readers never see half of it. Creates its folder if necessary.
 * @throws SandboxError `INVALID_OPTION`
 */
export async function writeWholeFile(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    const found = await statOf(file)
    checkKind(file, found)
    // A device must not be replaced by a file, and writing to it may block.
    const flag = constants.O_WRONLY | constants.O_NONBLOCK
    if (found && !found.isFile()) return await writeFile(file, text, { flag })
    // Follows a link, so that its target is replaced instead of the link.
    await replace(found ? await realpath(file) : file, text)
  } catch (error) {
    throw error instanceof SandboxError ? error : unwritable(file, (error as Error).message)
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, text)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Checks in advance whether a file can be written. @throws SandboxError `INVALID_OPTION` */
export async function checkWritable(file: string): Promise<void> {
  if (file === '') throw unwritable(file, 'it has no name')
  const found = await statOf(file)
  checkKind(file, found)
  if (found && !found.isFile()) return
  const { folder, isFolder } = await nearestFolder(dirname(file))
  if (!isFolder) throw unwritable(file, `"${folder}" is a file, not a folder`)
  await access(folder, constants.W_OK).catch(() => {
    throw unwritable(file, `this user may not write to "${folder}"`)
  })
}

/** @throws SandboxError `INVALID_OPTION` for a folder, and for a pipe, which waits until someone reads it */
function checkKind(file: string, found: Stats | undefined): void {
  if (found?.isDirectory()) throw unwritable(file, 'it is a folder')
  if (found && !found.isFile() && !found.isCharacterDevice()) throw unwritable(file, 'it is not an ordinary file')
}

/** The folder itself, or the nearest existing path above it. */
async function nearestFolder(folder: string): Promise<{ folder: string; isFolder: boolean }> {
  const found = await statOf(folder)
  const parent = dirname(folder)
  if (found || parent === folder) return { folder, isFolder: found?.isDirectory() ?? false }
  return nearestFolder(parent)
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOTDIR: a part of the path is a file, which `nearestFolder` finds.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unwritable(file, (error as Error).message)
  }
}

function unwritable(file: string, why: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `Failed to write "${file}": ${why}. Name another file`)
}
