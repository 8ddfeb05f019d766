/** Writes handlers for a document into one file that imports only MSW, or into chunks, and their types next to it. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CompiledText, ContractModule } from '../../compile/compile-text.js'
import { withHttpCare } from '../../contract/http/with-http.js'
import { toSafeLine } from '../../contract/safe-text.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import { chooseScenario } from '../../entries/choose-scenario.js'
import { compileSpec } from '../../entries/compile-spec.js'
import { name, version } from '../../generated/package.js'
import { writeCompact } from '../../json/compact-json.js'
import type { Scenario } from '../../state/scenario.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'
import { writeWholeFile } from '../write-file.js'
import { toLiteral, usedCollections, writeExact } from './module-code.js'
import { writeAgain } from './write-again.js'

export interface ExportOptions extends DocumentOptions {
  spec: string
  out: string
  force?: boolean
  /** Whether what the operations of each tag need, and the data, are chunks that are loaded on first use. */
  split?: boolean
  /** Whether to write again when a file of the document changes, until a signal comes. */
  watch?: boolean
  scenario?: string
  records?: number
  seed?: number
  /** Whether every operation has HTTP semantics. */
  httpCare?: boolean
  /** Tags of the operations to write. @default all operations, if none are named either */
  tag?: string[]
  /** Ids of the operations to write. */
  operation?: string[]
}

/** @throws SandboxError `INVALID_OPTION`, `INVALID_DOCUMENT`, `INVALID_SCENARIO` or `UNREADABLE_FILE` */
export async function exportHandlers(options: ExportOptions): Promise<void> {
  const { out, force = false, split = false, watch = false } = options
  const extension = /\.m?js$/.exec(out)?.[0]
  if (extension === undefined)
    throw new SandboxError('INVALID_OPTION', `--out must name a .js or .mjs file (got "${out}")`)
  const base = out.slice(0, -extension.length)
  const files: Files = {
    out,
    types: `${base}.d${extension.replace('js', 'ts')}`,
    folder: `${base}-chunks`,
    extension: extension.slice(1),
  }
  const taken = [out, files.types, ...(split ? [files.folder] : [])].find((file) => existsSync(file))
  if (taken !== undefined && !force) {
    throw new SandboxError('INVALID_OPTION', `"${taken}" already exists; --force overwrites it`)
  }
  if (watch) await writeAgain(options, (onRead) => write(options, files, onRead))
  else await write(options, files)
}

/** The files that are written. */
interface Files {
  out: string
  types: string
  /** The folder of the chunks. */
  folder: string
  extension: string
}

async function write(options: ExportOptions, files: Files, onRead?: (location: string) => void): Promise<void> {
  const { strict = false, httpCare = false, tag: tags, operation: operations, split = false, ...others } = options
  const { out, types, folder, extension } = files
  const compiled = await compileSpec(toSpecOptions(others), { strict }, { onRead })
  const { contract: whole, ...module } = compiled.toModule(tags || operations ? { tags, operations } : undefined)
  const { scenario } = await chooseScenario(compiled, others, false)
  const used = usedCollections(whole, [whole.operations, whole.webhooks])
  const documented = { ...whole, collections: whole.collections.filter(({ name }) => used.has(name)) }
  const contract = httpCare ? withHttpCare({ ...documented, validators: [] }) : documented
  const records = Object.fromEntries(Object.entries(toScenario(scenario)).filter(([name]) => used.has(name)))
  const header = [
    `${ownFile} ${version} (export msw) from ${toSafeLine(basename(options.spec))}; do not edit.`,
    '// Contains parts of ajv and fast-deep-equal, which are under the MIT licence like this engine.',
    '/* eslint-disable */',
    '// @ts-nocheck',
  ].join('\n')
  const chunks = new Map<string, string>()
  let code: string
  const { engine, types: engineTypes } = await import('../../generated/handler-module.js')
  if (split) {
    const { renderSplit } = await import('./split-handlers.js')
    const { chunks: engineChunks } = await import('../../generated/split-module.js')
    const folderName = `./${encodeURI(basename(folder))}`
    const given = { ...module, contract, records, engine: engineChunks, folder: folderName, header, extension }
    const rendered = renderSplit(given)
    code = rendered.entry
    for (const [name, text] of rendered.chunks) chunks.set(join(folder, name), text)
  } else code = renderModule(header, engine, contract, module.toValidators(), records)
  const declarations = await renderTypes(engineTypes, compiled)
  // The entry comes last, because it needs the others.
  for (const [file, text] of [...chunks, [types, declarations] as const, [out, code] as const])
    await writeChanged(file, text)
  if (split) await removeOld(folder, chunks)
  const what = [out, types, ...(split ? [`${chunks.size} chunks in ${folder}`] : [])].map(toSafeLine)
  process.stdout.write(`${name} wrote ${what.slice(0, -1).join(', ')} and ${what.at(-1)}\n`)
}

/** The beginning of each file that this program writes. */
const ownFile = `// Generated by ${name}`

/** Leaves a file alone that has this text already, so that development servers do not load it again. */
async function writeChanged(file: string, text: string): Promise<void> {
  // Reading a pipe would wait until someone writes to it.
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile && (await readFile(file, 'utf8').catch(() => undefined)) === text) return
  await writeWholeFile(file, text)
}

/** Removes the chunks of an earlier export, and nothing else. */
async function removeOld(folder: string, chunks: ReadonlyMap<string, string>): Promise<void> {
  for (const each of await readdir(folder, { withFileTypes: true })) {
    const file = join(folder, each.name)
    if (!each.isFile() || chunks.has(file)) continue
    if ((await readFile(file, 'utf8')).startsWith(ownFile)) await rm(file)
  }
}

function toScenario(scenario: string | Scenario | undefined): Scenario {
  if (typeof scenario === 'string') throw unknownName('scenario', scenario, ['any JSON file by its path'])
  return scenario ?? {}
}

function renderModule(
  header: string,
  engine: string,
  contract: ContractModule['contract'],
  validators: string,
  records: Scenario,
): string {
  return [
    header,
    engine,
    // In their own function, so that their names do not clash with those of the engine.
    `const exportedValidators = ((require, exports) => {\n${validators}\n})((id) => runtime[id], {})`,
    `export const createHandlers = createHandlerModule(${toLiteral(writeCompact(contract))}, exportedValidators, ${toLiteral(writeCompact(records, writeExact))})`,
    'export const { handlers, sandbox } = createHandlers()',
    '',
  ].join('\n')
}

/** The types of the module: those of the engine, and those of the document. */
async function renderTypes(types: string, { document, contract }: CompiledText): Promise<string> {
  return `${types}
export declare function createHandlers(options?: HandlersOptions): Handlers<DescribedDocument>
export declare const handlers: HttpHandler[]
export declare const sandbox: Sandbox<DescribedDocument>

${await documentTypes(document, contract)}`
}

async function documentTypes(document: CompiledText['document'], contract: CompiledText['contract']): Promise<string> {
  const { writeDocumentTypes, writeLooseTypes } = await import('../../entries/write-document-types.js')
  try {
    return await writeDocumentTypes(document, contract, 'DescribedDocument')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${name}: openapi-typescript wrote no types of the paths: ${toSafeLine(why)}\n`)
    return writeLooseTypes(contract, 'DescribedDocument')
  }
}
