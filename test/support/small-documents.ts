/** Minimal documents, and the errors of broken ones. */
import { type CompileOptions, compileDocument, type SandboxError } from 'petstore-sandbox'
import { expect } from 'vitest'

/** Marks the expected location of the error. Removed before the document is read. */
export const mark = '‸'

export function withOperation(
  text: string,
  { version = '3.1.0', path = '/xs' }: { version?: string; path?: string } = {},
): string {
  return `openapi: ${version}
info: { title: T, version: '1' }
paths:
  ${path}:
    ${text.trim().replaceAll('\n', '\n    ')}
`
}

export const responses: string = `responses:
    '200': { description: ok }`

export function withBody(schema: string): string {
  return withOperation(`post:
  requestBody:
    content:
      application/json:
        ${schema}
  ${responses}`)
}

export function withAnswer(schema: string, components = ''): string {
  return `${withOperation(`get:
  operationId: listXs
  responses:
    '200':
      description: ok
      content:
        application/json:
          ${schema}`)}${components}`
}

export async function readError(text: string, options: CompileOptions = {}): Promise<SandboxError | undefined> {
  try {
    await compileDocument(text, 'broken.yaml', options)
    return undefined
  } catch (error) {
    return error as SandboxError
  }
}

/** The code frame shows the line with a mark under the column. */
export function expectFrame(frame: string, text: string, line: number, column: number): void {
  const rows = frame.split('\n')
  const at = rows.findIndex((row) => row.startsWith('>'))
  const [, number, content = ''] = /^> +(\d+) \| (.*)$/.exec(rows[at] ?? '') ?? []
  expect(number).toBe(String(line))
  expect(content).toBe(text.split('\n')[line - 1])
  const prefix = (rows[at] ?? '').length - content.length
  expect(rows[at + 1]?.indexOf('^')).toBe(prefix + column - 1)
}
