/** `explain`: shows how the sandbox understands a document. */
import type { Command } from 'commander'
import {
  documentArgument,
  documentOptions,
  findDocument,
  isDocument,
  takeDocument,
} from '../options/document-options.js'
import { addOptions } from '../options/option-values.js'
import type { ExplainOptions } from './explain-document.js'

/** Adds `explain` to the program. */
export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .argument(...documentArgument)
    .argument('[path]', 'only operations whose path contains this text')
    .description('say what each operation of a document does and why, and what is wrong in the document')
  addOptions(command, documentOptions('explain another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'))
  command.option('--path <text>', 'only operations whose path contains this text, like the argument')
  command.option('--as-overlay', 'as an OpenAPI Overlay with all that is inferred, to be edited')
  command.option('--json', 'as JSON').action(async () => {
    const { args } = command
    const isAlone = args.length === 1 && !args.some(isDocument)
    const document = isAlone ? undefined : findDocument(args, 0)
    takeDocument(command, document)
    const { explainDocument } = await import('./explain-document.js')
    const options = command.opts<ExplainOptions>()
    await explainDocument(args[args[0] === document ? 1 : 0] ?? options.path, options)
  })
}
