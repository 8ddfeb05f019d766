/** `export msw`: writes handlers for any document into one file that imports only MSW. */

import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Command } from 'commander'
import type { RequestContract } from '../contract/contract.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { chooseScenario } from '../entries/choose-scenario.js'
import { name, version } from '../generated/package.js'
import { writeByShape } from '../json/write-by-shape.js'
import { readTextFile } from '../node/read-text-file.js'
import type { Scenario } from '../state/scenario.js'
import { wholeNumber } from './option-values.js'

interface ExportOptions {
  spec: string
  out: string
  force?: boolean
  scenario?: string
  records?: number
  seed?: number
}

/** Adds `export msw` to the program. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write a sandbox to a file')
    .helpOption('-h, --help', 'print this help')
    .command('msw')
    .description('handlers for MSW in one ES module with types, compiled ahead of time')
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--spec <file>', 'OpenAPI document, 3.0 or 3.1, YAML or JSON')
    .requiredOption('--out <file>', 'the module to write, e.g. src/mocks/sandbox.js; its types go beside it')
    .option('--force', 'overwrite what is there')
    .option('--scenario <file>', 'JSON file with what every key begins with (20 generated records)')
    .option('--records <number>', 'generate this many records', wholeNumber(0, 10_000))
    .option('--seed <number>', 'makes generated data repeatable (1)', wholeNumber(0, 2 ** 32 - 1))
    .action(exportMsw)
}

async function exportMsw({ spec, out, force = false, ...data }: ExportOptions): Promise<void> {
  const extension = /\.m?js$/.exec(out)?.[0]
  if (extension === undefined)
    throw new SandboxError('INVALID_OPTION', `--out must name a .js or .mjs file (got "${out}")`)
  const types = `${out.slice(0, -extension.length)}.d${extension.replace('js', 'ts')}`
  const taken = [out, types].find((file) => existsSync(file))
  if (taken !== undefined && !force) {
    throw new SandboxError('INVALID_OPTION', `"${taken}" is there already; --force overwrites it`)
  }
  const { compileContract, DocumentProblem, readDocument } = await import('../compile/compiler.js')
  const source = readDocument(await readTextFile(spec), spec)
  try {
    const { contract, validators, recordValidators } = compileContract(source.document)
    const compiled = {
      contract: { ...contract, validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() },
      document: source.document,
      text: source.text,
    }
    const scenario = await chooseScenario(compiled, data)
    const code = await renderModule(spec, contract, validators.toModule(), toScenario(scenario))
    await mkdir(dirname(out), { recursive: true })
    await writeFile(out, code)
    await writeFile(types, declarations)
    process.stdout.write(`${name} wrote ${out} and ${types}\n`)
  } catch (error) {
    throw error instanceof DocumentProblem ? source.toError(error) : error
  }
}

function toScenario(scenario: Awaited<ReturnType<typeof chooseScenario>>): Scenario {
  if (typeof scenario === 'string') throw unknownName('scenario', scenario, ['any JSON file by its path'])
  return scenario ?? {}
}

async function renderModule(
  spec: string,
  contract: Omit<RequestContract, 'validators'>,
  validators: string,
  scenario: Scenario,
): Promise<string> {
  const { engine } = await import('../generated/exported.js')
  // In their own function, so that their names do not clash with those of the engine.
  const body = validators.replace(/export const (validators?\d*) = /g, 'const $1 = ')
  return [
    `// Made by ${name} ${version} (export msw) from ${basename(spec)}; not to be edited.`,
    '// Holds parts of ajv and fast-deep-equal, which like this engine are under the MIT licence.',
    '/* eslint-disable */',
    '// @ts-nocheck',
    engine.replace(/\nexport \{[^}]*\};?\s*$/, ''),
    `const exportedValidators = ((require) => {\n${body}\nreturn validators\n})((id) => runtime[id])`,
    `const exportedContract = { ...${JSON.stringify(contract)}, validators: exportedValidators }`,
    `export const createHandlers = createExported(exportedContract, ${JSON.stringify(writeByShape(scenario, [], 0))})`,
    'export const { handlers, sandbox } = createHandlers()',
    '',
  ].join('\n')
}

const declarations = `import type { HttpHandler } from 'msw'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  travelTo(time: Date | string | number): void
  advance(milliseconds: number): void
  reset(): void
}

export interface World {
  readonly key: string
  readonly clock: Clock
  /** Puts the data of this key back to the beginning. */
  reset(): void
}

export interface Sandbox {
  /** The service without MSW. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** A key that is valid. */
  readonly defaultKey: string
  /** What a key sees. */
  world(key?: string): World
  readonly clock: Clock
  /** Puts all data back to the beginning. */
  reset(): void
}

export interface HandlersOptions {
  /** The sandbox that answers. @default a new one, made with the other options */
  sandbox?: Sandbox
  /** Where the service is called. @default the documented addresses of all servers */
  baseUrl?: string | Readonly<Record<string, string>>
  /** What every key begins with: records by collection. */
  scenario?: { readonly [collection: string]: readonly { readonly [property: string]: unknown }[] }
  apiKeys?: readonly string[]
  at?: Date | string | number
}

export declare function createHandlers(options?: HandlersOptions): { handlers: HttpHandler[]; sandbox: Sandbox }
export declare const handlers: HttpHandler[]
export declare const sandbox: Sandbox
`
