/** Compiles a document of an earlier state of the repository: `git:<ref>:<path>`. */
import { execFile } from 'node:child_process'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { type CompiledText, compileSources } from '../compile/compile-text.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { loadSources } from '../document/load-sources.js'
import { isUrl } from '../document/locations.js'
import type { SpecOptions } from '../entries/compile-spec.js'
import { readText } from '../node/read-text-file.js'

const run = promisify(execFile)

const maxBuffer = 256 * 1024 ** 2

/**
 * Reads the document, and the files that it refers to, from a commit.
 * @param name as `git show` takes it: the path begins at the root of the repository, or with `./` in this folder
 * @throws SandboxError `INVALID_OPTION`, `UNREADABLE_FILE` or `INVALID_DOCUMENT`
 */
export async function compileRevision(name: string, { overlays, allowRemoteRefs }: SpecOptions): Promise<CompiledText> {
  const [, ref = '', written = ''] = /^git:([^:]+):(.+)$/s.exec(name) ?? []
  if (ref === '' || ref.startsWith('-') || written === '') {
    throw new SandboxError('INVALID_OPTION', `A document in git is written as git:<ref>:<path> (got "${name}")`)
  }
  const isHere = /^\.{1,2}\//.test(written)
  const prefix = isHere ? (await git(name, ['rev-parse', '--show-prefix'])).trim() : ''
  const path = posix.normalize(prefix + written)
  const sources = await loadSources(path, {
    overlays,
    allowRemoteRefs,
    async read(location, isReferred) {
      if (isUrl(location) || overlays?.includes(location)) return readText(location, isReferred)
      return { text: await git(`git:${ref}:${location}`, ['cat-file', 'blob', `${ref}:${location}`]), location }
    },
  })
  return compileSources(sources)
}

async function git(name: string, args: string[]): Promise<string> {
  try {
    return (await run('git', args, { maxBuffer })).stdout
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string }
    const why = code === 'ENOENT' ? 'git is not installed' : stderr.trim().split('\n')[0] || message
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${name}": ${why}`)
  }
}
