/** Reads the path of an operation, and fits its declared parameters to it. */
import { type PathTemplate, parsePathTemplate } from '../contract/path-template.js'
import { shorten } from '../contract/violations.js'
import type { DocumentPath, Located, ParameterObject } from './document.js'
import type { Notes } from './notes.js'

export interface DescribedPath {
  /** The documented path with a leading slash. */
  path: string
  template: PathTemplate
  /** The declared parameters, and those that only the path names. */
  parameters: Located<ParameterObject>[]
}

/** Of undeclared parameters of one path. */
const maxNotes = 20

/**
 * A request has exactly the path parameters of the template: an undeclared one is a string, and a declared one that the
 * template does not have is ignored. Query parameters of the template are known even if they are not declared.
 */
export function describePath(
  documented: string,
  declared: readonly Located<ParameterObject>[],
  at: DocumentPath,
  notes: Notes,
): DescribedPath {
  const template = parsePathTemplate(documented)
  const path = documented.startsWith('/') ? documented : `/${documented}`
  const names = new Set(template.segments.flatMap((segment) => segment.names))
  const isIgnored = ({ value }: Located<ParameterObject>) => value.in === 'path' && !names.has(value.name)
  const isDeclared = (place: ParameterObject['in'], name: string) =>
    declared.some(({ value }) => value.in === place && value.name === name)
  const undeclared = [...names].filter((name) => !isDeclared('path', name))
  const add = (value: ParameterObject): Located<ParameterObject> => ({ value, path: at })
  if (path !== documented) notes.add(at, `The path "${documented}" does not begin with a slash`, `"${path}" is served`)
  for (const name of undeclared.slice(0, maxNotes)) {
    notes.add(at, `The path parameter "${name}" of "${shorten(documented)}" is not declared`, 'any text is accepted')
  }
  if (undeclared.length > maxNotes) {
    const message = `${undeclared.length - maxNotes} more path parameters of "${shorten(documented)}" are not declared`
    notes.add(at, message, 'any text is accepted')
  }
  for (const { value, path: place } of declared.filter(isIgnored)) {
    notes.add(place, `"${documented}" does not have the path parameter "${value.name}"`, 'it is ignored')
  }
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
  }
}

function toSchema(value: string | undefined): ParameterObject['schema'] & object {
  return value === undefined ? { type: 'string' } : { type: 'string', enum: [value] }
}
