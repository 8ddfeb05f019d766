/** Reads the path of an operation, and fits its declared parameters to it. */
import { type PathTemplate, parsePathTemplate } from '../contract/path-template.js'
import type { DocumentNote, DocumentPath, Located, ParameterObject } from './document.js'

export interface DescribedPath {
  /** The documented path with a leading slash. */
  path: string
  template: PathTemplate
  /** The declared parameters, and those that only the path names. */
  parameters: Located<ParameterObject>[]
  notes: DocumentNote[]
}

/**
 * A request has exactly the path parameters of the template: an undeclared one is a string, and a declared one that the
 * template does not have is ignored. Query parameters of the template are known even if they are not declared.
 */
export function describePath(
  documented: string,
  declared: readonly Located<ParameterObject>[],
  at: DocumentPath,
): DescribedPath {
  const template = parsePathTemplate(documented)
  const path = documented.startsWith('/') ? documented : `/${documented}`
  const names = new Set(template.segments.flatMap((segment) => segment.names))
  const isIgnored = ({ value }: Located<ParameterObject>) => value.in === 'path' && !names.has(value.name)
  const isDeclared = (place: ParameterObject['in'], name: string) =>
    declared.some(({ value }) => value.in === place && value.name === name)
  const undeclared = [...names].filter((name) => !isDeclared('path', name))
  const add = (value: ParameterObject): Located<ParameterObject> => ({ value, path: at })
  return {
    path,
    template,
    parameters: [
      ...declared.filter((parameter) => !isIgnored(parameter)),
      ...undeclared.map((name) => add({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...template.query
        .filter(({ name }) => !isDeclared('query', name))
        .map(({ name, value }) => add({ name, in: 'query', schema: toSchema(value) })),
    ],
    notes: [
      ...(path === documented ? [] : [{ message: `The path "${documented}" is served as "${path}"`, path: at }]),
      ...undeclared.map((name) => ({
        message: `The path parameter "${name}" of "${documented}" is not declared: any text is accepted`,
        path: at,
      })),
      ...declared.filter(isIgnored).map(({ value, path: place }) => ({
        message: `The path parameter "${value.name}" is ignored: "${documented}" does not have it`,
        path: place,
      })),
    ],
  }
}

function toSchema(value: string | undefined): ParameterObject['schema'] & object {
  return value === undefined ? { type: 'string' } : { type: 'string', enum: [value] }
}

/** What decides which requests an operation gets. */
interface Reachable {
  method: string
  path: string
  template: PathTemplate
  servers: unknown
  at: DocumentPath
  notes: DocumentNote[]
}

/** Adds a note to each operation that an earlier one hides: paths that differ only in their fragments are one path. */
export function noteHidden(operations: readonly Reachable[]): void {
  const paths = new Map<string, string>()
  for (const { method, path, template, servers, at, notes } of operations) {
    const key = JSON.stringify([method, template.path, template.query, servers])
    const earlier = paths.get(key)
    if (earlier === undefined) paths.set(key, path)
    else notes.push({ message: `${method} ${path} is not served: ${method} ${earlier} has the same path`, path: at })
  }
}
