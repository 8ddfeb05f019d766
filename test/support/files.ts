/** Documents in temporary folders, compiled by their path. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSandbox } from 'petstore-sandbox'
import { type CompileFileOptions, compileFile } from 'petstore-sandbox/node'
import { onTestFinished } from 'vitest'
import { writeFolder } from './serving.js'

/** Files by path. Those that are no texts are written as JSON. */
export type Files = Record<string, string | object>

/** The notes begin with their place: `schemas/pet.yaml:3:5 message; instead`. */
export interface CompiledFiles {
  notes: string[]
  text: string
  send(target: string, init?: RequestInit): Promise<Response>
}

/** Writes files to a folder that is removed after the test. @returns its path */
export async function writeFiles(files: Files): Promise<string> {
  const texts = Object.entries(files).map(([name, file]): [string, string] => {
    return [name, typeof file === 'string' ? file : JSON.stringify(file, null, 2)]
  })
  const folder = await writeFolder(Object.fromEntries(texts))
  // A repository, within which files may refer to each other.
  await mkdir(join(folder, '.git'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Compiles the first file. Overlays are paths of files as well. */
export async function compileFiles(files: Files, options: CompileFileOptions = {}): Promise<CompiledFiles> {
  const folder = await writeFiles(files)
  const [first = ''] = Object.keys(files)
  const overlays = options.overlays?.map((name) => join(folder, name)) ?? []
  const { contract, notes, text } = await compileFile(join(folder, first), { ...options, overlays })
  const sandbox = createSandbox({ contract })
  return {
    notes: notes().map(({ file, line, column, message, instead }) => {
      return `${file}:${line}:${column} ${message}; ${instead}`.replaceAll(`${folder}/`, '')
    }),
    text,
    send: (target, init) => sandbox.fetch(`http://localhost${target}`, init),
  }
}

/** A document with an operation that returns the value of a schema, and further members. */
export function answering(schema: object, members: object = {}): object {
  const content = { 'application/json': { schema } }
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/x': { get: { operationId: 'getX', responses: { 200: { description: 'ok', content } } } } },
    ...members,
  }
}
