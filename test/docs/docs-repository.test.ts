/** The files for contributors and releases: workflows with few rights, and placeholders instead of invented people. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { root, run } from '../support/launch.js'

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, { permissions?: Record<string, string>; steps: Step[] }>
}

interface Step {
  name?: string
  uses?: string
  run?: string
}

const read = (path: string) => readFile(join(root, path), 'utf8')
const names = await readdir(join(root, '.github/workflows'))
const workflows = await Promise.all(
  names.map(async (file) => ({ file, ...(parse(await read(`.github/workflows/${file}`)) as Workflow) })),
)
const manifest = JSON.parse(await read('package.json'))

it.each(workflows)('$file may only read, except to prove where a release comes from', ({ permissions, jobs }) => {
  expect(permissions).toEqual({ contents: 'read' })
  for (const [name, job] of Object.entries(jobs)) {
    const allowed = name === 'publish' ? { contents: 'read', 'id-token': 'write' } : undefined
    expect(job.permissions, name).toEqual(allowed)
  }
})

it.each(workflows)('$file uses actions of one major version, and commands that exist', async ({ jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/)
  const commands = steps.flatMap((step) => step.run ?? []).filter((command) => !command.includes('\n'))
  const known = ['.ci/run', 'npm ci', 'npm publish --provenance --access public']
  expect(commands.filter((command) => !known.includes(command))).toEqual([])
  expect(commands.length).toBeGreaterThan(0)
})

const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

it.each([
  { tag: `v${manifest.version}`, address: repository, code: 0, says: '' },
  { tag: 'v99.0.0', address: repository, code: 1, says: `package.json has the version "${manifest.version}"` },
  {
    tag: `v${manifest.version}`,
    address: 'https://github.com/a/fork',
    code: 1,
    says: 'git+https://github.com/a/fork.git',
  },
])('a release of $tag from $address ends with $code', async ({ tag, address, code, says }) => {
  const release = workflows.find(({ file }) => file === 'release.yml')
  const script = release?.jobs['publish']?.steps.find(({ name }) => name?.startsWith('Compare'))?.run ?? ''
  const command = ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script] as const
  const ended = await run([], { command, env: { TAG: tag, REPOSITORY: address } })
  expect(ended).toMatchObject({ code, stderr: '' })
  expect(ended.stdout).toMatch(code === 0 ? /^$/ : /^::error::/)
  expect(ended.stdout).toContain(says)
})

it('names no person and no address that exists', async () => {
  const owners = (await read('.github/CODEOWNERS')).split('\n').filter((line) => line && !line.startsWith('#'))
  expect(owners).toEqual(['* @petstore-sandbox/maintainers'])
  const addresses = [manifest.homepage, manifest.bugs.url, repository, 'https://petstore-sandbox.example/security']
  expect(addresses.map((address) => new URL(address).hostname.split('.').at(-1))).toEqual(Array(4).fill('example'))
  expect(await read('SECURITY.md')).toContain('@petstore-sandbox.example>')
})

it('has templates that GitHub can read', async () => {
  for (const name of ['bug.yml', 'feature.yml']) {
    const template = parse(await read(`.github/ISSUE_TEMPLATE/${name}`))
    expect(Object.keys(template).slice(0, 3), name).toEqual(['name', 'description', 'labels'])
    for (const { type, id, attributes } of template.body) {
      expect(['textarea', 'input'], name).toContain(type)
      expect(id, name).toMatch(/^[\w-]+$/)
      expect(attributes.label, name).toMatch(/\w/)
    }
  }
  expect(JSON.parse(await read('renovate.json')).extends).toContain('config:recommended')
})
