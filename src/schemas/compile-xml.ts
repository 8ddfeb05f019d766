/** Compiles schemas to XML elements, each on first use. */

import type { XmlElement } from '../contract/http/representation.js'
import { isReference, type Located, type OpenApiDocument, type Schema } from '../document/document.js'
import { withLazy } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import { flattenSchema } from './flatten-schema.js'

export interface XmlCompiler {
  /** @returns the number of the element of a schema */
  add(schema: Located<Schema>): number
  /** The elements. Each is compiled on first read. */
  elements: XmlElement[]
  /** Compiles all remaining elements. */
  compileAll(): void
}

/** The supported members of an XML Object. */
interface XmlObject {
  name?: unknown
  prefix?: unknown
  namespace?: unknown
  attribute?: unknown
  wrapped?: unknown
  /** OpenAPI 3.2. */
  nodeType?: unknown
}

export function createXmlCompiler(document: OpenApiDocument): XmlCompiler {
  const elements: XmlElement[] = []
  const numbers = new Map<Schema, number>()

  function add(schema: Located<Schema>): number {
    return getOrInsert(numbers, schema.value, () => {
      const number = elements.length
      withLazy(elements, String(number), () => compile(schema))
      return number
    })
  }

  function compile(schema: Located<Schema>): XmlElement {
    const { keywords, properties, items } = flattenSchema(document, schema)
    const written = keywords['xml']
    const { name, prefix, namespace, attribute, wrapped, nodeType }: XmlObject =
      typeof written === 'object' && written !== null ? written : {}
    const isAttribute = Boolean(attribute) || nodeType === 'attribute'
    const isText = nodeType === 'text' || nodeType === 'cdata'
    return {
      ...(name !== undefined && { name: String(name) }),
      ...(prefix !== undefined && { prefix: String(prefix) }),
      ...(namespace !== undefined && { namespace: String(namespace) }),
      ...((isAttribute || isText) && { as: isAttribute ? 'attribute' : 'text' }),
      ...((wrapped === true || nodeType === 'element') && { wrapped: true }),
      ...(properties.size > 0 && {
        properties: [...properties].map(([key, property]): [string, number] => [key, add(property)]),
      }),
      ...(items && { items: add(items) }),
    }
  }

  function compileAll(): void {
    // Compiling an element adds the elements of its members.
    for (let number = 0; number < elements.length; number++) void elements[number]
  }

  return { add, elements, compileAll }
}

/** The name of the component, because the schema of a root has no property name. */
export function rootName({ value, path }: Located<Schema>): string {
  const from = isReference(value) ? value.$ref.split('/') : path
  const [name, section] = [from.at(-1), from.at(-2)]
  return section === 'schemas' && typeof name === 'string' ? decodeURIComponent(name.replaceAll('%', '%25')) : 'root'
}
