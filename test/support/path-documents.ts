/** Documents whose operations show which of them answers. */

/** Schemas of path parameters by name, for the operations that declare some: `GET /xs/{id}` */
export type Operations = Readonly<Record<string, Readonly<Record<string, object>>>>

/** The server that the transports know as the documented one of a path without a base. */
const servers = [{ url: 'https://quickstart.petstore.example' }]

/** A document in which each operation answers with itself. A path parameter of its path is declared only if it has a schema. */
export function documentOf(operations: Operations, more: object = {}): string {
  const paths: Record<string, Record<string, object>> = {}
  for (const [operation, schemas] of Object.entries(operations)) {
    const [method = '', path = ''] = split(operation)
    const parameters = Object.entries(schemas).map(([name, schema]) => ({ name, in: 'path', required: true, schema }))
    const content = { 'application/json': { example: { operation } } }
    const own = { parameters, responses: { 200: { description: 'ok', content } } }
    paths[path] = { ...paths[path], [method.toLowerCase()]: own }
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, servers, paths, ...more })
}

/** Method and path, which may contain spaces. */
export function split(operation: string): [method: string, path: string] {
  const space = operation.indexOf(' ')
  return [operation.slice(0, space), operation.slice(space + 1)]
}
