/** A reference keeps its origin: what comes from elsewhere shows no file of this machine that is not part of the project. */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { type CompileFileOptions, compileFile } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answering, writeFiles } from '../support/files.js'
import { writeFolder } from '../support/serving.js'
import { runWarm as run } from '../support/warm.js'

const secret = { const: 'secret' }
const ref = ($ref: string) => ({ $ref })

/** Serves a text by any path until the test ends. @returns its URL */
async function host(toBody: () => object): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(toBody())))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/remote.json`
}

async function compile(spec: string, options: CompileFileOptions = {}): Promise<{ notes: string; text: string }> {
  const { notes, text } = await compileFile(spec, options)
  return {
    notes: notes()
      .map(({ message }) => message)
      .join('\n'),
    text,
  }
}

const schemaOf = '$.paths["/x"].get.responses["200"].content["application/json"].schema'
const overlaying = (update: object, target = schemaOf) => ({
  overlay: '1.0.0',
  info: { title: 'T', version: '1' },
  actions: [{ target, update }],
})

describe('a remote overlay reads no local file', () => {
  const forms: [what: string, toUpdate: (folder: string) => object][] = [
    ['by its path', (folder) => ref(`${folder}/secret.json`)],
    ['by a relative path', () => ref('secret.json')],
    ['by a path above', (folder) => ref(`../${folder.split('/').at(-1)}/secret.json`)],
    ['by a URL', (folder) => ref(`file://${folder}/secret.json`)],
    ['by an encoded path', (folder) => ref(`${folder}/%73ecret.json`)],
    ['by a fragment', () => ref('secret.json#/const')],
    ['in a drive of Windows', () => ref('c:/secret.json')],
    [
      'by the mapping of a discriminator',
      (folder) => ({ discriminator: { propertyName: 'kind', mapping: { a: `${folder}/secret.json` } } }),
    ],
  ]

  it.each(forms)('%s', async (_, toUpdate) => {
    const folder = await writeFiles({ 'a.json': answering({}), 'secret.json': secret })
    const overlay = await host(() => overlaying(toUpdate(folder)))
    const { text } = await compile(join(folder, 'a.json'), { overlays: [overlay], allowOutsideRefs: true })
    expect(text).not.toContain('"secret"')
  })

  it('and a note says why', async () => {
    const folder = await writeFiles({ 'a.json': answering({}), 'secret.json': secret })
    const overlay = await host(() => overlaying(ref('secret.json')))
    const { notes } = await compile(join(folder, 'a.json'), { overlays: [overlay] })
    expect(notes).toBe(
      '$ref "secret.json" cannot be read: a document from a URL may not refer to files of this machine',
    )
  })

  it('also not one that the document itself refers to', async () => {
    const folder = await writeFiles({ 'a.json': answering(ref('kim.json#/one')), 'kim.json': { one: {}, two: secret } })
    const overlay = await host(() => overlaying({ components: { schemas: { stolen: ref('kim.json#/two') } } }, '$'))
    const { notes } = await compile(join(folder, 'a.json'), { overlays: [overlay] })
    expect(notes).toContain('$ref "kim.json#/two" cannot be read: a document from a URL may not refer to files')
  })

  it('also not beside a mapping that the document has', async () => {
    const one = { discriminator: { propertyName: 'kind', mapping: { a: 'kim.json' } } }
    const folder = await writeFiles({ 'a.json': answering(one), 'kim.json': { title: 'Kim' } })
    const overlay = await host(() => overlaying({ b: 'kim.json' }, `${schemaOf}.discriminator.mapping`))
    const { text } = await compile(join(folder, 'a.json'), { overlays: [overlay] })
    expect(text).toContain('"b": "kim.json"')
  })

  it('of the bundled document', async () => {
    const folder = await writeFiles({ 'secret.json': secret })
    const overlay = await host(() => overlaying(ref(`${folder}/secret.json`), '$.components.schemas.Pet'))
    const { stdout } = await run(['explain', '--overlay', overlay, '--allow-outside-refs'])
    expect(stdout).toContain('a document from a URL may not refer to files of this machine')
  })
})

it('lets a remote overlay refer to parts of the document', async () => {
  const folder = await writeFiles({ 'a.json': answering({}, { components: { schemas: { kim: { const: 'Kim' } } } }) })
  const overlay = await host(() =>
    overlaying({ anyOf: ['#', 'a.json#'].map((file) => ref(`${file}/components/schemas/kim`)) }),
  )
  expect(await compile(join(folder, 'a.json'), { overlays: [overlay] })).toMatchObject({ notes: '' })
})

it('lets a local overlay refer to files beside the document', async () => {
  const folder = await writeFiles({
    'a.json': answering({}),
    'kim.json': { const: 'Kim' },
    'o.json': overlaying(ref('kim.json')),
  })
  expect(await compile(join(folder, 'a.json'), { overlays: [join(folder, 'o.json')] })).toMatchObject({ notes: '' })
})

it('reads files beside a document that is given as a file URL', async () => {
  const folder = await writeFiles({ 'a.json': answering(ref('kim.json')), 'kim.json': { const: 'Kim' } })
  expect(await compile(`file://${folder}/a.json`)).toMatchObject({ notes: '' })
})

describe('a document refers to files', () => {
  /** The document is `repo/api/a.json`. */
  async function compileWith($ref: string, options: CompileFileOptions = {}, folders = ['repo/.git']) {
    const folder = await writeFiles({
      'secret.json': secret,
      'repo/common/kim.json': secret,
      'repo/api/b/kim.json': secret,
      'repo/api/a.json': answering(ref($ref)),
    })
    for (const each of folders) await mkdir(join(folder, each))
    await symlink('../../secret.json', join(folder, 'repo/api/link.json'))
    await symlink('../common/kim.json', join(folder, 'repo/api/inner.json'))
    const { notes, text } = await compile(join(folder, 'repo/api/a.json'), options)
    return { notes: notes.replaceAll(folder, ''), isRead: text.includes('"secret"') }
  }

  it.each([['b/kim.json'], ['../common/kim.json'], ['inner.json']])('within its repository: %s', async ($ref) => {
    expect(await compileWith($ref)).toEqual({ notes: '', isRead: true })
  })

  it.each([['../../secret.json'], ['link.json'], ['b/../../../secret.json']])('not outside: %s', async ($ref) => {
    expect(await compileWith($ref)).toEqual({
      notes: `$ref "${$ref}" cannot be read: a file outside of "/repo" is read only with --allow-outside-refs`,
      isRead: false,
    })
  })

  it.each([['../../secret.json'], ['link.json']])('outside with --allow-outside-refs: %s', async ($ref) => {
    expect(await compileWith($ref, { allowOutsideRefs: true })).toEqual({ notes: '', isRead: true })
  })

  it('of the nearest repository only', async () => {
    const { isRead } = await compileWith('../common/kim.json', {}, ['repo/.git', 'repo/api/.git'])
    expect(isRead).toBe(false)
  })

  it('outside as missing ones if they are missing', async () => {
    const { notes } = await compileWith('../../none.json')
    expect(notes).toBe('$ref "../../none.json" cannot be read: there is no such file')
  })
})

describe('without a repository, a document refers to files', () => {
  /** Runs `explain` in a folder, with a home folder. The document is `work/api/a.json`. */
  async function explainIn(cwd: string, home: string) {
    const folder = await writeFolder({
      'work/kim.json': JSON.stringify(secret),
      'work/api/a.json': JSON.stringify(answering(ref('../kim.json'))),
      'work/home/none': '',
    })
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = relative(join(folder, cwd), join(folder, 'work/api/a.json'))
    const env = { HOME: join(folder, home), USERPROFILE: join(folder, home) }
    const { stdout } = await run(['explain', '--spec', file], { cwd: join(folder, cwd), env })
    return stdout
  }
  const refused = 'is read only with --allow-outside-refs'

  it('below the folder that it has in common with the working directory', async () => {
    expect(await explainIn('work', 'home')).toContain('Nothing is wrong')
  })

  it('not above that', async () => {
    expect(await explainIn('work/api', 'home')).toContain(refused)
  })

  it('only beside it if the home folder is in common', async () => {
    expect(await explainIn('work', 'work/home')).toContain(refused)
  })
})
