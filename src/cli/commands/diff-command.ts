/** `diff`: compares two versions of a document. */
import type { Command } from 'commander'
import { addOptions, collect, flag, option, wholeNumber } from '../options/option-values.js'
import { applyEnvironment, describeEnvironment } from '../options/options-from-environment.js'
import { reportOptions } from '../options/report-options.js'

/** Adds `diff` to the program. */
export function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .argument('<old>', 'the version that your code uses: a file, a URL or git:<ref>:<path>')
    .argument('<new>', 'the next version')
    .description('compare two versions of a document, and say which changes are about your code')
  addOptions(command, [
    option('--lock <file>', 'what your code uses, written by run; only changes that are about this are errors'),
    option('--sunset-within <days>', 'operations that end within these days are errors', wholeNumber(0, 36_500)),
    flag('--all', 'list harmless changes, too'),
    option('--overlay <file|url>', 'change both documents by an OpenAPI Overlay (repeatable)', collect),
    flag('--allow-remote-refs', 'request the URLs that $refs of the documents lead to'),
    flag('--allow-outside-refs', 'read files that $refs of the documents lead to outside of their repository'),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeEnvironment(command.options))
  command.action(async (old: string, next: string) => {
    applyEnvironment(command)
    const { compareVersions } = await import('./compare-versions.js')
    process.exitCode = await compareVersions(old, next, command.opts())
  })
}
