/** Builds another commit of this repository, once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @returns the folder of a built checkout @param against a folder with one, or a commit */
export function toBuild(against, folder, say) {
  if (existsSync(join(against, 'dist/index.js'))) return resolve(against)
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const commit = findCommit()
  const checkout = join(folder, commit)
  if (existsSync(join(checkout, 'dist/index.js'))) return checkout
  say(`building ${commit}`)
  rmSync(checkout, { recursive: true, force: true })
  mkdirSync(checkout, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  const isSame = git('diff', '--name-only', commit, '--', 'package-lock.json') === ''
  if (isSame) symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  else execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: checkout, stdio: 'ignore' })
  execFileSync('npm', ['run', 'build'], { cwd: checkout, stdio: 'ignore' })
  return checkout

  function findCommit() {
    try {
      return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${against}^{commit}`)
    } catch {
      throw new Error(`--against takes a commit, or a folder with a built checkout (got "${against}")`)
    }
  }
}
