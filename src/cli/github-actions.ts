/** GitHub Actions: annotations and the summary of the job come without asking. */
import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'

export function isGithubActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

/** Where this process was started, from the root of the repository; empty at the root, or where that is not known. */
export function folderInRepository(): string {
  const root = process.env['GITHUB_WORKSPACE']
  if (!isGithubActions() || !root) return ''
  const folder = relative(root, process.cwd())
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder
}

/** The runner obeys lines of a log that look like its commands: in between it does not. */
export function withoutCommands(text: string): string {
  const token = randomUUID()
  return `::stop-commands::${token}\n${text}::${token}::\n`
}

/** A summary that cannot be written is no reason to fail a run that passed. */
export async function appendSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  await appendFile(file, `${markdown}\n`).catch((error: Error) => {
    process.stderr.write(`The summary of the job was not written: ${error.message}\n`)
  })
}
