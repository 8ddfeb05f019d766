// The example project with the published package: it is tested, and built for production.

import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root, run } from '../support/launch.js'
import { execute, type Packed, pack } from '../support/package.js'

const example = join(root, 'examples/frontend')
/** Files that git ignores. */
const own = /\/(node_modules|dist|package-lock\.json)$/

let packed: Packed
let project: string

beforeAll(async () => {
  packed = await pack()
  project = join(packed.folder, 'frontend')
  await cp(example, project, { recursive: true, filter: (source) => !own.test(source) })
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  expect(manifest.devDependencies['petstore-sandbox']).toBe('file:../..')
  manifest.devDependencies['petstore-sandbox'] = `file:${packed.tarball}`
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], project)
})

afterAll(() => packed.remove())

/** The environment of a terminal, without the variables that this test runner sets. */
async function runInProject(...command: [file: string, ...args: string[]]): Promise<string> {
  const own = Object.keys(process.env).filter((name) =>
    /^(VITEST|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|BASE_URL$)/.test(name),
  )
  const env = Object.fromEntries(own.map((name) => [name, '']))
  const { code, stdout, stderr } = await run([], { command, cwd: project, env: { ...env, NO_COLOR: '1' } })
  if (code !== 0) throw new Error(`"${command.join(' ')}" ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

it('passes its own tests, in a browser', async () => {
  expect(await runInProject('npm', 'test')).toMatch(/Tests +5 passed \(5\)/)
})

it('has neither MSW nor the sandbox in its build for production', async () => {
  await runInProject('npm', 'run', 'build')
  const files = (await readdir(join(project, 'dist'), { recursive: true })).filter((name) => /\.\w+$/.test(name))
  expect(files.filter((name) => !/^(index\.html|assets\/index-[\w-]+\.(js|css))$/.test(name))).toEqual([])
  const text = (await Promise.all(files.map((name) => readFile(join(project, 'dist', name), 'utf8')))).join('\n')
  expect(text).toContain('https://api.petstore.example/v1')
  expect(text).not.toMatch(/msw|mockServiceWorker|staging\.petstore/i)
})
