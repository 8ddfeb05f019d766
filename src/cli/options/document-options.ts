/** The options of all commands that take a document. */
import type { Command, Option } from 'commander'
import type { SpecOptions } from '../../entries/compile-spec.js'
import { collect, flag, only404, option } from './option-values.js'

/** @see ../../node/log-output.ts */
const { existsSync, statSync } = process.getBuiltinModule('node:fs')

/** Options from the command line; `toSpecOptions` converts them. */
export interface DocumentOptions extends Omit<SpecOptions, 'overlays'> {
  /** Files or URLs of overlays. */
  overlay?: string[]
  /** Refuses a document with any mistake. */
  strict?: boolean
}

/** @param description what the command does with the document */
export function documentOptions(description: string): [spec: Option, ...others: Option[]] {
  return [
    option('--spec <file|url>', description),
    option('--overlay <file|url>', 'change the document by an OpenAPI Overlay (repeatable)', collect),
    flag('--allow-remote-refs', 'request the URLs that $refs of the document lead to'),
    flag('--allow-outside-refs', 'read files that $refs of the document lead to outside of its repository'),
    option(
      '--unknown-keys <status>',
      '404: a key without a record gets 404, also where a sample would answer',
      only404,
    ),
    flag('--strict', 'refuse a document with anything wrong in it'),
  ]
}

/** Name and description of the argument that is the document. */
export const documentArgument = ['[file|url]', 'the document, like --spec'] as const

/** Sets `--spec`. @param document the argument, if there is one */
export function takeDocument(command: Command, document: string | undefined): void {
  if (document === undefined) return
  const { spec } = command.opts<DocumentOptions>()
  if (spec === undefined) command.setOptionValueWithSource('spec', document, 'cli')
  else command.error(`error: give one document, not both "${document}" and --spec "${spec}"`)
}

/** Whether an argument is a URL or an existing file. */
export function isDocument(argument: string): boolean {
  return /^https?:/i.test(argument) || isFile(argument)
}

/** Whether an argument can be a document, possibly a missing one, instead of a misspelled command. */
export function mayBeDocument(argument: string): boolean {
  return /[./\\]/.test(argument) || existsSync(argument)
}

/** Finds the document among two arguments: the only file, else the one at the usual index. */
export function findDocument(args: readonly string[], usual: 0 | 1): string | undefined {
  const files = args.filter(isFile)
  return files.length === 1 ? files[0] : args[usual]
}

/** Takes the document of a command whose other argument is an address. @returns the address */
export function takeBaseUrl(command: Command): string {
  const { args } = command
  const document = args.length > 1 ? findDocument(args, 1) : undefined
  takeDocument(command, document)
  return args[args[0] === document ? 1 : 0] ?? ''
}

function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory()
}

export function toSpecOptions({ overlay = [], ...options }: DocumentOptions): SpecOptions {
  const { spec, allowRemoteRefs, allowOutsideRefs, unknownKeys } = options
  return { spec, overlays: overlay, allowRemoteRefs, allowOutsideRefs, unknownKeys }
}
