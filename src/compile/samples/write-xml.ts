/** Writes a value as XML by its schema (OpenAPI 3.1, section 4.8.26). */
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { isReference } from '../document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'

/** The members of an XML Object that are read. */
interface XmlObject {
  name?: string
  prefix?: string
  namespace?: string
  attribute?: boolean
  wrapped?: boolean
  /** OpenAPI 3.2. */
  nodeType?: string
}

const anything: Located<Schema> = { value: true, path: [] }

export function writeXml(document: OpenApiDocument, schema: Located<Schema>, value: unknown): string {
  const flat = flattenSchema(document, schema)
  const name = nameOf(flat, rootName(schema))
  const text = Array.isArray(value)
    ? `<${name}>${value.map((item) => writeElement(document, itemsOf(flat), item, 'item')).join('')}</${name}>`
    : writeElement(document, schema, value, rootName(schema))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`
}

/** The name of the component, as the schema of a root has no property. */
function rootName({ value, path }: Located<Schema>): string {
  const from = isReference(value) ? value.$ref.split('/') : path
  const [name, section] = [from.at(-1), from.at(-2)]
  return section === 'schemas' && typeof name === 'string' ? decodeURIComponent(name.replaceAll('%', '%25')) : 'root'
}

function writeElement(document: OpenApiDocument, schema: Located<Schema>, value: unknown, standard: string): string {
  const flat = flattenSchema(document, schema)
  const xml = xmlOf(flat)
  const name = nameOf(flat, standard)
  if (Array.isArray(value)) {
    const items = itemsOf(flat)
    const isWrapped = xml.wrapped === true || xml.nodeType === 'element'
    // Only a name of the items' own replaces that of the property.
    const own = value.map((item) => writeElement(document, items, item, isWrapped ? standard : name)).join('')
    return isWrapped ? `<${name}>${own}</${name}>` : own
  }
  const namespace =
    xml.namespace === undefined ? '' : ` xmlns${xml.prefix ? `:${xml.prefix}` : ''}="${escapeXml(xml.namespace)}"`
  if (typeof value !== 'object' || value === null) {
    const text = value === null || value === undefined ? '' : escapeXml(String(value))
    return text === '' ? `<${name}${namespace}/>` : `<${name}${namespace}>${text}</${name}>`
  }
  let attributes = namespace
  let content = ''
  for (const [key, member] of Object.entries(value)) {
    const property = flat.properties.get(key) ?? anything
    const inner = flattenSchema(document, property)
    const { attribute, nodeType } = xmlOf(inner)
    const isText = typeof member !== 'object' || member === null
    if (isText && (attribute || nodeType === 'attribute')) {
      attributes += ` ${nameOf(inner, key)}="${escapeXml(String(member ?? ''))}"`
    } else if (isText && (nodeType === 'text' || nodeType === 'cdata')) content += escapeXml(String(member ?? ''))
    else content += writeElement(document, property, member, key)
  }
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
}

function itemsOf({ items }: FlatSchema): Located<Schema> {
  return items ?? anything
}

function xmlOf({ keywords }: FlatSchema): XmlObject {
  const { xml } = keywords
  return typeof xml === 'object' && xml !== null ? xml : {}
}

function nameOf(flat: FlatSchema, standard: string): string {
  const { name = standard, prefix } = xmlOf(flat)
  const local = String(name).replace(/[^\p{L}\p{N}_.-]/gu, '_')
  const valid = /^[\p{L}_]/u.test(local) ? local : `_${local}`
  return prefix ? `${prefix}:${valid}` : valid
}

function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  // XML has no other control characters, and no lone surrogates.
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (each) => `&${names[each]};`)
}
