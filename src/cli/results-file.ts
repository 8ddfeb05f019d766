/** The file of `--results`, which the command writes. */
import { stat, utimes } from 'node:fs/promises'
import { readJunit, type TestResult } from '../checks/consumer/read-junit.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { readTextFile } from '../node/read-text-file.js'

/** Prepares a run of the command: a file that is already there is not read. */
export async function expectResults(file: string): Promise<ResultsFile> {
  const old = await markOld(file)
  return {
    async read(run, exitCode) {
      const time = await timeOf(file)
      if (time !== undefined && time !== old) return readJunit(await readTextFile(file), file)
      const exit = exitCode === 0 ? '' : `, and exited with ${exitCode}`
      const why = `the command did not write it with ${run}${exit}. Name the file to which your test runner writes JUnit XML`
      throw new SandboxError('UNREADABLE_FILE', `Failed to read the results "${file}": ${why}`)
    },
  }
}

/** The file of one run. */
interface ResultsFile {
  /**
   * Reads the results after the run.
   * @param run what the command was run with, for errors
   * @throws SandboxError `UNREADABLE_FILE`, also if the command did not write the file
   */
  read(run: string, exitCode: number): Promise<TestResult[]>
}

/** Gives a file a time that no new one has, and returns it. It is not removed, as its name may be a mistake. */
async function markOld(file: string): Promise<number | undefined> {
  await utimes(file, 0, 0).catch(() => {})
  return timeOf(file)
}

async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs
}
