/** Path of a file in the repository, as build servers need it. */
import { isAbsolute, posix } from 'node:path'

/**
 * The path relative to the root of the repository, with slashes. Absolute paths stay as they are.
 * @param folder where the program was started, relative to the root of the repository; empty at the root
 */
export function repositoryPath(file: string, folder: string): string {
  if (isAbsolute(file)) return file
  return posix.join(folder.replaceAll('\\', '/'), file.replaceAll('\\', '/'))
}
