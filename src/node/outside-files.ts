/** Restricts the `$ref`s of a document to its project, so that a foreign document cannot expose other files. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SandboxError } from '../contract/sandbox-error.js'

/**
 * Creates a function that rejects files outside of the folder of a document and of its repository, which is the nearest
 * folder with `.git`. Without a repository, the limit is the common folder of the document and the working directory, unless
 * that contains the home folder, where credentials are kept.
 * @param document the path of the document
 * @returns a function that rejects with SandboxError `UNREADABLE_FILE`
 */
export function createOutsideCheck(document: string): (location: string) => Promise<void> {
  const own = dirname(/^file:/i.test(document) ? fileURLToPath(document) : resolve(document))
  const widest = findAbove(own, (folder) => existsSync(join(folder, '.git'))) ?? findCommon(own)
  return async (location) => {
    const [path, ...allowed] = await Promise.all([location, own, widest].map(toReal))
    // The reader handles missing files and URLs.
    if (path === undefined || allowed.some((folder) => folder !== undefined && isWithin(path, folder))) return
    const why = `a file outside of "${widest}" is read only with --allow-outside-refs`
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${location}": ${why}`)
  }
}

function findCommon(own: string): string {
  const common = findAbove(own, (folder) => isWithin(process.cwd(), folder))
  return common === undefined || isWithin(homedir(), common) ? own : common
}

/** The innermost matching folder of a path. */
function findAbove(path: string, fits: (folder: string) => boolean): string | undefined {
  if (fits(path)) return path
  const folder = dirname(path)
  return folder === path ? undefined : findAbove(folder, fits)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The path without symbolic links. */
function toReal(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
