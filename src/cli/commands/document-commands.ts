/** The commands that show or write what a document means. */
import type { Command } from 'commander'
import {
  documentArgument,
  documentOptions,
  findDocument,
  isDocument,
  takeDocument,
} from '../options/document-options.js'
import { addOptions, collect, flag, option, percentage, wholeNumber } from '../options/option-values.js'
import type { ExplainOptions } from './explain-document.js'
import type { ExportOptions } from './export-handlers.js'
import type { LearnCommandOptions } from './learn-service.js'

/** Adds `explain` to the program: shows how the sandbox understands a document. */
export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .argument(...documentArgument)
    .argument('[path]', 'only operations whose path contains this text')
    .description('say what each operation of a document does and why, and what is wrong in the document')
  addOptions(command, documentOptions('explain another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'))
  command.option('--path <text>', 'only operations whose path contains this text, like the argument')
  command.option('--as-overlay', 'as an OpenAPI Overlay with all that is inferred, to be edited')
  command.option('--open', 'only what is guessed and nobody has said or shown, and the lines that settle it')
  command.option(
    '--as-overrides',
    'as a file for --overrides, with a stub for each operation of which something is not sure',
  )
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

/** Adds `learn` to the program: makes an overlay from recordings of a service. */
export function addLearnCommand(program: Command): void {
  const command = program
    .command('learn')
    .argument('<har...>', 'HTTP archives (HAR), in the order in which they were recorded')
    .description('learn from recordings what a service does, and write it as an OpenAPI Overlay')
  addOptions(command, [
    ...documentOptions('the document of the service: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    option('--out <file>', 'the overlay to write (stdout)'),
    option('--records <file>', 'also write the records that existed before, as a scenario'),
    option('--force', 'overwrite existing files'),
    option('--test <percent>', 'the last exchanges test what the others teach (30); 0: none', percentage),
    flag('--keep-values', 'keep names and addresses of persons; secrets are never written'),
    flag('--check', 'learn nothing, and compare the sandbox with the recordings'),
    option('--scenario <file>', 'with --check: the records that existed before'),
    option('--min-status <percent>', 'with --check: exit with 1 if fewer answers have the same status', percentage),
    option('--min-answers <percent>', 'with --check: exit with 1 if fewer answers are the same', percentage),
  ])
  command.action(async (files: string[]) => {
    const { learnService } = await import('./learn-service.js')
    await learnService(files, command.opts<LearnCommandOptions>())
  })
}

/** Adds `export msw` and `export types` to the program: they write handlers for any document, or its types, into a file. */
export function addExportCommand(program: Command): void {
  const exporting = program.command('export').description('write a sandbox, or the types of a document, to a file')
  addExportMsw(exporting)
  addExportTypes(exporting)
}

function addExportTypes(exporting: Command): void {
  const [spec, ...others] = documentOptions('document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON')
  const command = exporting
    .command('types')
    .description(
      'the types of a document for TypeScript: paths, operations, collections, and `Api` for defineOverrides',
    )
    .argument(...documentArgument)
    .addOption(spec)
    .requiredOption('--out <file>', 'the file to write, e.g. src/api.ts')
  addOptions(command, [...others, option('--force', 'overwrite a file that this command did not write')])
  command.action(async (document: string | undefined) => {
    takeDocument(command, document)
    const { exportTypes } = await import('./export-handlers.js')
    await exportTypes(command.opts<ExportOptions>())
  })
}

function addExportMsw(exporting: Command): void {
  const [spec, ...others] = documentOptions('document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON')
  const command = exporting
    .command('msw')
    .description('handlers for MSW in one ES module with types, compiled ahead of time')
    .argument(...documentArgument)
    .addOption(spec)
    .requiredOption('--out <file>', 'the module to write, e.g. src/mocks/sandbox.js; its types are written next to it')
  addOptions(command, [
    ...others,
    flag('--http-care', 'add entity tags, Idempotency-Key, Location and 406 where the document lacks them'),
    option(
      '--tag <name>',
      'only the operations with this tag; together with --operation: those of either (repeatable)',
      collect,
    ),
    option('--operation <id>', 'only this operation (repeatable)', collect),
    option('--watch', 'write again when a file of the document changes'),
    option('--force', 'overwrite existing files'),
    option('--scenario <file>', 'JSON file with the data that every key starts with (20 generated records)'),
    option('--records <number>', 'generate this many records', wholeNumber(0, 10_000)),
    option('--seed <number>', 'makes generated data repeatable (1)', wholeNumber(0, 2 ** 32 - 1)),
  ])
  command.action(async (document: string | undefined) => {
    takeDocument(command, document)
    const options = command.opts<ExportOptions>()
    if (options.spec === undefined)
      command.error('error: name a document: a file or URL as argument, or --spec <file|url>')
    const { exportHandlers } = await import('./export-handlers.js')
    await exportHandlers(options)
  })
}
