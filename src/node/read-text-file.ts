/** Reads text files that users specify. */
import { readFile } from 'node:fs/promises'
import { SandboxError } from '../contract/sandbox-error.js'

/** Reads a UTF-8 file. @throws SandboxError `UNREADABLE_FILE` */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${path}": ${reasons[code ?? ''] ?? message}`)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}
