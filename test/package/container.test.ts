/** The commands of the Dockerfile work: by hand on every machine, and as an image where docker or podman can build one. */
import { spawnSync } from 'node:child_process'
import { access, cp, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { root, run, start, untilReady } from '../support/launch.js'
import { execute, type Packed, pack } from '../support/package.js'
import { freePort } from '../support/serving.js'

const dockerfile = (await readFile(join(root, 'Dockerfile'), 'utf8')).replace(/\\\n/g, '')

/** The command of an instruction in the form of JSON. */
function commandOf(instruction: string): [string, ...string[]] {
  const [, json] = new RegExp(`\\b${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? []
  if (json === undefined) throw new Error(`The Dockerfile has no ${instruction} in the form of JSON`)
  return JSON.parse(json)
}

let packed: Packed
beforeAll(async () => {
  packed = await pack()
})
afterAll(() => packed.remove())

it('the commands install the packed program, start it, find it healthy and end it', async () => {
  const app = join(packed.folder, 'app')
  const [, install = ''] = /^RUN (npm install .*)$/m.exec(dockerfile) ?? []
  const own = install.replace(' /tmp/', ` ${packed.folder}/`).replace(' /app ', ` ${app} `)
  expect(own).toContain('--omit=dev')
  await execute('sh', ['-c', own], packed.folder)

  const port = String(await freePort())
  // In the image it listens on all addresses.
  const env = { PETSTORE_SANDBOX_HOST: '127.0.0.1', PETSTORE_SANDBOX_PORT: port, NODE_ENV: 'production' }
  const [, file = ''] = commandOf('ENTRYPOINT')
  const program = start(['--log', 'none'], { command: [process.execPath, file.replace('/app', app)], env })
  await untilReady(program)
  const [, ...check] = commandOf('CMD')
  expect(await run(check, { command: [process.execPath], env })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  program.signal('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' })
  expect(await run(check, { command: [process.execPath], env })).toMatchObject({ code: 1, stdout: '', stderr: '' })
})

it('the build needs only the files that are copied', async () => {
  const source = join(packed.folder, 'source')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
  for (const name of copied) {
    // A build of this checkout is not sent to the builder.
    const filter = (from: string) => !from.startsWith(join(root, 'src/generated'))
    await cp(join(root, name), join(source, name), { recursive: true, filter })
  }
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'))
  await execute(process.execPath, ['scripts/build.js'], source)
  await access(join(source, 'dist/index.js'))
})

/** A program that can build images and run them here. A client without its service cannot. */
const builder = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { timeout: 240_000 }).status === 0)

describe.skipIf(builder === undefined)('the image', () => {
  const name = `petstore-sandbox-test-${process.pid}`

  it('serves as a user with few rights, is healthy, and ends with 0', { timeout: 900_000 }, async () => {
    const call = async (...args: string[]) => (await execute(builder ?? '', args, root)).stdout.trim()
    const format = builder === 'podman' ? ['--format', 'docker'] : []
    await call('build', ...format, '--tag', name, '.')
    await call('run', '--detach', '--name', name, '--publish', '127.0.0.1::4010', name)
    onTestFinished(async () => {
      await call('rm', '--force', name)
      await call('rmi', '--force', name)
    })
    await expect
      .poll(() => call('inspect', '--format', '{{.State.Health.Status}}', name), { interval: 1000 })
      .toBe('healthy')
    const address = await call('port', name, '4010')
    expect((await fetch(`http://${address}/_sandbox/health`)).status).toBe(200)
    expect(await call('exec', name, 'id', '-u')).not.toBe('0')
    await call('stop', name)
    expect(await call('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0')
  })
})
