/** Where a file stands in the repository: what build servers show findings by. */
import { isAbsolute, posix } from 'node:path'

/** @param folder where the program was started, from the root of the repository; empty at the root */
export function repositoryPath(file: string, folder: string): string {
  if (isAbsolute(file)) return file
  return posix.join(folder.replaceAll('\\', '/'), file.replaceAll('\\', '/'))
}
