/** Compares files by what their paths lead to. */
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Whether two paths lead to one file, also through links and if it does not exist yet. */
export async function sameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([identityOf(one), identityOf(other)])
  return a === b
}

async function identityOf(file: string): Promise<string> {
  const path = resolve(file)
  try {
    const { dev, ino, isFile } = await statOf(path)
    // Hard links and file systems without case lead to one inode. Some file systems have none.
    return isFile && ino !== 0n ? `${dev} ${ino}` : await realpath(path)
  } catch {
    return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))
  }
}

async function statOf(path: string): Promise<{ dev: bigint; ino: bigint; isFile: boolean }> {
  const found = await stat(path, { bigint: true })
  return { dev: found.dev, ino: found.ino, isFile: found.isFile() }
}
