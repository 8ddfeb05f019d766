/** Finds what a `$ref` means that is written in the way of another version of OpenAPI. */
import { ownValue } from '../../json/own-value.js'
import type { OpenApiDocument } from '../document.js'
import type { ObjectKind } from './object-kinds.js'

/** The sections of components by the kind of object. */
const sections: Partial<Record<ObjectKind, string>> = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  response: 'responses',
  requestBody: 'requestBodies',
  example: 'examples',
  pathItem: 'pathItems',
}

/**
 * @returns the `$ref` that leads there, or undefined if the given one is not of such a form
 * @example redirect(document, 'Book', 'schema') // '#/components/schemas/Book', if there is one
 */
export function redirect(document: OpenApiDocument, $ref: string, kind: ObjectKind): string | undefined {
  const section = sections[kind]
  const name = /^(?:#\/(?:definitions|parameters|responses|components)\/|#|#\/)?([\w.-]+)$/.exec($ref)?.[1]
  if (section === undefined || name === undefined) return undefined
  const known = document.components?.[section]
  if (typeof known !== 'object' || known === null || ownValue(known as Record<string, unknown>, name) === undefined) {
    return undefined
  }
  // It may be right as it is.
  const [, first] = $ref.split('/')
  if (first === 'definitions' && 'definitions' in document) return undefined
  return `#/components/${section}/${name}`
}
