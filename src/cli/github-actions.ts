/** GitHub Actions: what a report needs to know about the job it runs in. */
import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { printMessage } from './print-message.js'
import { checkWritable } from './write-file.js'

/** Whether this process runs in a job of GitHub Actions. */
export function isGithubActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

/** Folder where this process was started, relative to the root of the repository; empty at the root or if unknown. */
export function folderInRepository(): string {
  const root = process.env['GITHUB_WORKSPACE']
  if (!isGithubActions() || !root) return ''
  const folder = relative(root, process.cwd())
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder
}

/** Wraps a text so that the runner does not execute lines that look like workflow commands. */
export function withoutCommands(text: string): string {
  const token = randomUUID()
  return `::stop-commands::${token}\n${text}::${token}::\n`
}

/** Adds to the summary of the job. A failure to write it is only printed, as it must not fail a run that passed. */
export async function appendSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  try {
    await checkWritable(file)
    await appendFile(file, `${markdown}\n`)
  } catch (error) {
    printMessage(`The job summary could not be written: ${(error as Error).message}`)
  }
}
