/** Writes the value of a body in the syntax of its media type. */

import type { RequestContract } from '../../../contract/contract.js'
import type { BodyContent, TextType } from '../../../contract/request-model.js'
import { ownValue } from '../../../json/own-value.js'
import { writeByShape } from '../../../json/write-by-shape.js'
import { joinPairs, type WrittenPair, writeBrackets, writeValue } from './write-parameter.js'

/** A boundary that no generated value contains. */
const boundary = 'petstore-sandbox-7d1f0c9b5a'

/** The media type to send if a range is documented. */
export function sentTypeOf({ mediaType, codec }: Pick<BodyContent, 'mediaType' | 'codec'>): string {
  if (!mediaType.includes('*')) return mediaType
  if (codec === 'json') return 'application/json'
  const [type = ''] = mediaType.split('/')
  return (
    { text: 'text/plain', image: 'image/png', multipart: 'multipart/form-data' }[type] ?? 'application/octet-stream'
  )
}

/** The `Content-Type` parameters for the result of `writeBody`. */
export function typeParametersOf({ codec }: BodyContent): string {
  return codec === 'multipart' ? `; boundary=${boundary}` : ''
}

export function writeBody(value: unknown, content: BodyContent | undefined, { textTypes }: RequestContract): string {
  const type = textTypes[content?.textType ?? -1]
  switch (content?.codec) {
    case 'form':
      return joinPairs(fieldsOf(value).flatMap(([name, field]) => writeField(name, field, content)))
    case 'multipart':
      return `${fieldsOf(value)
        .flatMap(([name, field]) => writeParts(name, field, content, type, textTypes))
        .join('')}--${boundary}--\r\n`
    case 'text':
      return fieldText(value)
    case 'binary':
      return typeof value === 'string' && value !== '' ? value : 'sample'
    default:
      return writeByShape(value, [], 0)
  }
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function writeField(name: string, value: unknown, { styles }: BodyContent): WrittenPair[] {
  const style = styles?.[name]
  if (style) return writeValue(name, style, value)
  const own = encodeURIComponent(name.toWellFormed())
  // A list of plain values is written as one pair for each value.
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return isPlain ? value.flatMap((item) => writeBrackets(own, item)) : writeBrackets(own, value)
}

/** A part for a field, or one for each item of a list. Objects are JSON (OpenAPI 3.1, section 4.8.14.3). */
function writeParts(
  name: string,
  value: unknown,
  { styles, partTypes }: BodyContent,
  type: TextType | undefined,
  textTypes: readonly TextType[],
): string[] {
  const number = type?.properties?.find(([each]) => each === name)?.[1] ?? type?.others
  const own = textTypes[number ?? -1]
  const isList = Array.isArray(value) && styles?.[name]?.name !== 'json'
  const items = isList ? value : [value]
  const isFile = own?.isBinary || (isList && textTypes[own?.items ?? -1]?.isBinary)
  const quoted = name.toWellFormed().replace(/[\r\n"]/g, encodeURIComponent)
  return items.map((item) => {
    const headers = [`Content-Disposition: form-data; name="${quoted}"${isFile ? '; filename="sample"' : ''}`]
    const [listed] = ownValue(partTypes ?? {}, name) ?? []
    const standard = isFile ? 'application/octet-stream' : 'application/json'
    const own = listed ? sentTypeOf({ ...listed, codec: 'binary' }) : standard
    if (isFile || (typeof item === 'object' && item !== null)) headers.push(`Content-Type: ${own}`)
    return `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${fieldText(item)}\r\n`
  })
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : writeByShape(value, [], 0)
}
