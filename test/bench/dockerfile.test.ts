/** The Dockerfile: each instruction is right, it copies what exists, and runs as a user with few rights. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Copy, DockerfileParser, type JSONInstruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

const text = await readFile(join(root, 'Dockerfile'), 'utf8')
const dockerfile = DockerfileParser.parse(text)
const valuesOf = (keyword: string) =>
  dockerfile
    .getInstructions()
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? '')

it('has only instructions that a builder knows, each with the arguments that it takes', () => {
  expect(validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([])
  // The linter finds mistakes.
  expect(validate(text.replace('WORKDIR', 'WORKDIRECTORY')).length).toBeGreaterThan(0)
})

it('copies files that exist and that .dockerignore lets through', async () => {
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
  const copied = dockerfile.getCOPYs().flatMap((copy: Copy) => {
    const isOfStage = copy.getFlags().some((flag) => flag.getName() === 'from')
    return isOfStage ? [] : copy.getArguments().slice(0, -1)
  })
  expect(copied.length).toBeGreaterThan(5)
  for (const argument of copied) {
    await access(join(root, argument.getValue()))
    expect(ignored).toContain(`!${argument.getValue()}`)
  }
  expect(ignored.filter((line) => line.startsWith('!')).length).toBe(copied.length)
})

it('copies the files of the package that package.json names', async () => {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const sources: string[] = files.filter((name: string) => name !== 'dist')
  for (const name of sources) expect(valuesOf('COPY').join(' ').split(/\s+/)).toContain(name)
})

it('has two stages, of which only the small one is the image', () => {
  expect(valuesOf('FROM')).toEqual(['node:24-slim AS build', 'node:24-alpine'])
})

it('runs the program as a user with few rights, with a health check, on all addresses of the container', () => {
  expect(valuesOf('USER')).toEqual(['node'])
  const last = ['USER', 'ENTRYPOINT'].map((keyword) => text.lastIndexOf(`\n${keyword} `))
  expect(last).toEqual([...last].sort((a, b) => a - b))
  expect(valuesOf('ENV').join(' ')).toContain('PETSTORE_SANDBOX_HOST=0.0.0.0')
  expect(valuesOf('EXPOSE')).toEqual(['4010'])
  expect(dockerfile.getHEALTHCHECKs().length).toBe(1)
  // The program itself gets SIGTERM, because no shell is before it.
  const [entry] = dockerfile.getENTRYPOINTs() as JSONInstruction[]
  expect(entry?.getJSONStrings().map((each) => each.getJSONValue())).toEqual([
    'node',
    '/app/node_modules/petstore-sandbox/bin/petstore-sandbox.js',
  ])
})
