/**
 * Loads files with overrides, in JavaScript or TypeScript, and the files that they import. They are read again on each call: the
 * modules of Node.js would stay in memory, and would keep the code that was loaded first.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { transform } from 'sucrase'
import { SandboxError } from '../contract/sandbox-error.js'
import { isObject } from '../json/own-value.js'
import { keepPlaces, placeIn } from '../sandbox/overrides/override-places.js'
import type { Overrides } from '../sandbox/overrides/override-types.js'

export interface LoadedOverrides {
  overrides: Overrides
  /** SHA-256 of all files that were read, in hexadecimal. */
  hash: string
}

/**
 * Loads a file that the command line or the program's own code names, never what a document or a request names.
 * @param onRead called with each file before it is read, so that it can be watched
 * @throws SandboxError `UNREADABLE_FILE`, `INVALID_OPTION` with the place of an error in the code
 */
export function loadOverrides(file: string, onRead: (path: string) => void): LoadedOverrides {
  const hash = createHash('sha256')
  const path = toPath(file)
  const exported = createLoader((text) => hash.update(`${text.length}\n${text}`), onRead).load(path)
  const isCommonJs = !Object.hasOwn(exported, '__esModule') && Object.keys(exported).length > 0
  const given = isCommonJs ? exported : exported['default']
  if (!isObject(given)) {
    const wayOut = 'its default export must be overrides: export default defineOverrides({ … })'
    throw new SandboxError('INVALID_OPTION', `Failed to load overrides from ${file}: ${wayOut}`)
  }
  const overrides = { ...given } as Overrides
  keepPlaces(overrides, (name) => findPlace(readText(path), name, file))
  return { overrides, hash: hash.digest('hex') }
}

/**
 * The path of a file with code. On Windows, a letter before a colon is a drive.
 * @example toPath('file:///work/a.ts') // '/work/a.ts'
 * @throws SandboxError `INVALID_OPTION` for any other scheme
 */
export function toPath(file: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(file) ?? []
  if (scheme === undefined) return resolve(file)
  try {
    if (scheme.toLowerCase() === 'file') return fileURLToPath(file)
  } catch {
    // The message is the same: it is no file of this machine.
  }
  throw new SandboxError('INVALID_OPTION', `Overrides must be a file of this machine (got "${file}")`)
}

interface Module {
  exports: Record<string, unknown>
}

function createLoader(onText: (text: string) => void, onRead: (path: string) => void) {
  const modules = new Map<string, Module>()
  return { load }

  function load(path: string): Record<string, unknown> {
    const known = modules.get(path)
    if (known) return known.exports
    const module: Module = { exports: {} }
    modules.set(path, module)
    onRead(path)
    const text = readText(path)
    onText(text)
    if (path.endsWith('.json')) module.exports = JSON.parse(text)
    else run(path, text, module)
    return module.exports
  }

  function run(path: string, text: string, module: Module): void {
    const fromFile = createRequire(path)
    const require = (name: string): unknown => {
      if (isBuiltin(name)) return fromFile(name)
      if (/^\.{0,2}\//.test(name) || name.startsWith('file:')) return load(findFile(name, path))
      // The program that runs, also where nothing is installed.
      return name === own || name.startsWith(`${own}/`) ? fromProgram(name) : fromFile(name)
    }
    try {
      const code = toCommonJs(path, text)
      const names = ['exports', 'require', 'module', '__filename', '__dirname', 'importMeta']
      const called = compileFunction(code, names, { filename: path })
      const meta = { url: `file://${path}`, filename: path, dirname: dirname(path) }
      called(module.exports, require, module, path, dirname(path), meta)
    } catch (error) {
      throw error instanceof SandboxError ? error : failed(path, error)
    }
  }
}

const own = 'petstore-sandbox'
const fromProgram = createRequire(import.meta.url)

/** Removes types, and keeps each line at its place. */
function toCommonJs(path: string, text: string): string {
  const isTyped = /\.[cm]?tsx?$/.test(path)
  const { code } = transform(text, {
    transforms: isTyped ? ['typescript', 'imports'] : ['imports'],
    ...{ disableESTransforms: true, production: true, filePath: path },
  })
  return code.replace(/\bimport\.meta\b/g, 'importMeta')
}

/** TypeScript files are often imported under the name of what they are compiled to. */
function findFile(name: string, from: string): string {
  const path = name.startsWith('file:') ? fileURLToPath(name) : resolve(dirname(from), name)
  const candidates = [
    path,
    path.replace(/\.([cm]?)js$/, '.$1ts'),
    ...['.ts', '.js', '.mts', '.mjs', '.json', '/index.ts', '/index.js'].map((end) => `${path}${end}`),
  ]
  const found = candidates.find((each) => existsSync(each) && statSync(each).isFile())
  if (found !== undefined) return found
  throw new SandboxError('UNREADABLE_FILE', `Failed to read "${path}", which ${from} imports: there is no such file`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${path}": ${why}`)
  }
}

function failed(path: string, error: unknown): SandboxError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  // Sucrase and Node.js name the place of wrong syntax each in its own way.
  const [, said, place] = /^Error transforming .*?: (.*?) ?\((\d+:\d+)\)$/s.exec(message) ?? []
  const [line] = stack.split('\n')
  const at = place ? `${path}:${place}` : line?.startsWith(`${path}:`) ? line : placeIn(error as Error)
  return new SandboxError('INVALID_OPTION', `Failed to load overrides: ${said ?? message} (${at ?? path})`)
}

/** The first line of a file that has a name as a property. */
function findPlace(text: string, name: string, file: string): string {
  const lines = text.split('\n')
  const quoted = [`'${name}'`, `"${name}"`, `\`${name}\``]
  const at = lines.findIndex(
    (line) =>
      quoted.some((each) => line.includes(each)) || new RegExp(`(?:^|[\\s{,])${toPattern(name)}\\s*[:(,]`).test(line),
  )
  return at < 0 ? file : `${file}:${at + 1}`
}

function toPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
