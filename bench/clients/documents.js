/** Finds the document of a library: in an npm package, among earlier fetched ones, in a folder of clones, or at GitHub. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const installed = fileURLToPath(new URL('node_modules/', import.meta.url))
const fetched = fileURLToPath(new URL('../results/clients/documents/', import.meta.url))
const fetchLimitMs = 60_000
const greatestBytes = 64 * 1024 * 1024

/**
 * @param document `{ package, path, sha256 }` or `{ repository, commit, path, sha256 }`
 * @param repositories a folder with clones of public repositories, as `owner/name`, `owner+name` or `name`
 * @returns `{ file }`, or `{ why }` if it cannot be had
 */
export async function findDocument(document, repositories) {
  if (document.package !== undefined) return findInPackage(document)
  const file = join(fetched, `${document.sha256}${extname(document.path)}`)
  if (existsSync(file) && hashOf(readFileSync(file)) === document.sha256) return { file }
  const bytes = readFromClone(document, repositories) ?? (await download(document))
  if (bytes === undefined) {
    const { repository, commit, path } = document
    return {
      why: `${path} of ${repository} at ${commit.slice(0, 12)} cannot be fetched; --repositories names a folder of clones`,
    }
  }
  if (hashOf(bytes) !== document.sha256) return { why: `${document.path} of ${document.repository} has another hash` }
  mkdirSync(fetched, { recursive: true })
  writeFileSync(file, bytes)
  return { file }
}

function findInPackage({ package: id, path, sha256 }) {
  const file = join(installed, id.slice(0, id.lastIndexOf('@')), path)
  if (!existsSync(file)) return { why: `${id} is not installed; run "npm ci --prefix bench/clients"` }
  return hashOf(readFileSync(file)) === sha256 ? { file } : { why: `${path} of ${id} has another hash` }
}

function readFromClone({ repository, commit, path }, repositories) {
  for (const folder of cloneFolders(repository, repositories)) {
    try {
      const args = ['-C', folder, 'show', `${commit}:${path}`]
      return execFileSync('git', args, { maxBuffer: greatestBytes, stdio: ['ignore', 'pipe', 'ignore'] })
    } catch {
      // Another clone may have the commit.
    }
  }
  return undefined
}

/** A clone, bare or not, may be one folder deeper. */
function cloneFolders(repository, repositories) {
  if (repositories === undefined) return []
  const [owner, name] = repository.split('/')
  const named = [join(owner, name), `${owner}+${name}`, name].map((each) => resolve(repositories, each))
  return named
    .filter(existsSync)
    .flatMap((folder) => [folder, ...readdirSync(folder).map((each) => join(folder, each))])
}

async function download({ repository, commit, path }) {
  const address = `https://raw.githubusercontent.com/${repository}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(fetchLimitMs) })
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
