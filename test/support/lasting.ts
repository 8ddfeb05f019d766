/** Processes that run until they are ended. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface Lasting {
  /** Its program in JavaScript. */
  code: string
  /** Where it writes its id. */
  file: string
}

/** A process that writes its id and the sandbox's address to a file and runs until it is ended; it ignores some signals. */
export async function lastingIn(folder: string, name: string, ignored: readonly string[] = []): Promise<Lasting> {
  const file = join(folder, name)
  await rm(file, { force: true })
  const code = [
    ...ignored.map((signal) => `process.on('${signal}', () => {})`),
    'setInterval(() => {}, 1000)',
    `require('fs').writeFileSync('${file}.new', process.pid + ' ' + process.env.PETSTORE_SANDBOX_URL)`,
    `require('fs').renameSync('${file}.new', '${file}')`,
  ].join(';')
  return { code, file }
}

/** @returns the process's id, and the port of the sandbox if the process knows it */
export async function untilThere(file: string): Promise<{ pid: number; port: number }> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) {
      const [pid, url = ''] = text.split(' ')
      onTestFinished(() => endNow(Number(pid)))
      return { pid: Number(pid), port: URL.canParse(url) ? Number(new URL(url).port) : 0 }
    }
    await sleep(20)
  }
}

function endNow(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The time limit of the test says when it is too late. */
export async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid) && !(await isZombie(pid))) await sleep(20)
}

/** Ended, and only waiting for the system to clear it away, which may take its time in a container. */
async function isZombie(pid: number): Promise<boolean> {
  return /^\d+ \(.*\) Z/s.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
}
