/** Writes a value as XML by the elements of its schema. */
import type { XmlElement } from '../contract/http/representation.js'

const anything: XmlElement = {}

/**
 * @param element the number of the root
 * @param root its name, unless the element has one
 */
export function writeXml(value: unknown, elements: readonly XmlElement[], element: number, root: string): string {
  const at = (number: number | undefined) => (number === undefined ? anything : (elements[number] ?? anything))
  const first = at(element)
  const name = elementName(first, root)
  const text = Array.isArray(value)
    ? `<${name}>${value.map((item) => write(at(first.items), item, 'item')).join('')}</${name}>`
    : write(first, value, root)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`

  function write(xml: XmlElement, each: unknown, standard: string): string {
    const own = elementName(xml, standard)
    if (Array.isArray(each)) {
      // Only an explicit name of the items replaces that of the property.
      const items = each.map((item) => write(at(xml.items), item, xml.wrapped ? standard : own)).join('')
      return xml.wrapped ? `<${own}>${items}</${own}>` : items
    }
    const namespace =
      xml.namespace === undefined ? '' : ` xmlns${xml.prefix ? `:${xml.prefix}` : ''}="${escapeXml(xml.namespace)}"`
    if (typeof each !== 'object' || each === null) return toElement(own, namespace, elementText(each))
    const known = new Map(xml.properties)
    let attributes = namespace
    let content = ''
    for (const [key, member] of Object.entries(each)) {
      const inner = at(known.get(key))
      const isText = typeof member !== 'object' || member === null
      if (isText && inner.as === 'attribute') attributes += ` ${elementName(inner, key)}="${elementText(member)}"`
      else if (isText && inner.as === 'text') content += elementText(member)
      else content += write(inner, member, key)
    }
    return toElement(own, attributes, content)
  }
}

function toElement(name: string, attributes: string, content: string): string {
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
}

function elementName({ name, prefix }: XmlElement, standard: string): string {
  const local = (name ?? standard).replace(/[^\p{L}\p{N}_.-]/gu, '_')
  const valid = /^[\p{L}_]/u.test(local) ? local : `_${local}`
  return prefix ? `${prefix}:${valid}` : valid
}

function elementText(value: unknown): string {
  return escapeXml(String(value ?? ''))
}

/** Text for the content of an element, or for the value of an attribute in double quotes. */
export function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  // XML allows no other control characters and no lone surrogates.
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (each) => `&${names[each]};`)
}
