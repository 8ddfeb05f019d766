/** `explain`: says what the sandbox makes of a document. */
import { type Command, Option } from 'commander'
import type { ExplainOptions } from './explain-document.js'
import { strictOption } from './server-options.js'

/** Adds `explain` to the program. */
export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .argument('[path]', 'only operations whose path contains this text')
    .description('say what each operation of a document does and why, and what is wrong in the document')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .addOption(new Option('--spec <file>', 'explain another OpenAPI document, YAML or JSON'))
    .addOption(strictOption())
    .option('--json', 'as JSON')
    .action(async (path: string | undefined, options: ExplainOptions) => {
      const { explainDocument } = await import('./explain-document.js')
      await explainDocument(path, options)
    })
}
