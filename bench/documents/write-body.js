/** Writes a request body as its media type says. */
import { writePairs } from './write-parameter.js'

const boundary = 'documents-7d1f'
const isJson = (type) => /^[^;]*[/+]json\b/i.test(type)

/** The media types that a body can be written as, the best first. `isTyped`: the types of JSON are kept. */
const kinds = [
  { accepts: (type) => /^application\/json\b/i.test(type), isTyped: true, write: (value) => JSON.stringify(value) },
  {
    accepts: isJson,
    isTyped: true,
    write: (value) => JSON.stringify(value),
    type: (type) => type.replace('*', 'vnd.api'),
  },
  { accepts: (type) => /^application\/x-www-form-urlencoded/i.test(type), write: writeForm },
  {
    accepts: (type) => /^multipart\//i.test(type),
    write: writeMultipart,
    type: (type) => `${bare(type)}; boundary=${boundary}`,
  },
  { accepts: (type) => /^text\/(?!xml)/i.test(type), write: writeText, type: (type) => type.replace('*', 'plain') },
  {
    accepts: (type) => /^\*\/\*/.test(type),
    isTyped: true,
    write: (value) => JSON.stringify(value),
    type: () => 'application/json',
  },
  { accepts: (type) => /[/+]xml\b/i.test(type), isXml: true, type: (type) => type.replace('*', 'vnd.api') },
  { accepts: () => true, write: writeText, type: (type) => type.replace('*', 'octet-stream') },
]

/** @returns the media type of a body to send, and its kind */
export function chooseMedia(media) {
  for (const kind of kinds) {
    const found = media.find(({ type }) => kind.accepts(type))
    if (found !== undefined) return { ...found, kind }
  }
}

/** @returns the text and the content type */
export function writeBody({ type, schema, encoding, kind }, value, resolve) {
  const contentType = kind.type?.(type) ?? type
  // Tools that write samples of XML write the whole text.
  const text = kind.isXml ? value : kind.write(value, { encoding, properties: propertiesOf(schema, resolve) })
  return { contentType, text }
}

function writeText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function writeForm(value, { encoding }) {
  const pairs = Object.entries(value ?? {}).flatMap(([name, each]) => {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {}
    const isNested = typeof each === 'object' && each !== null && !Array.isArray(each) && style === 'form'
    if (isNested) return [[encodeURIComponent(name), encodeURIComponent(JSON.stringify(each))]]
    return writePairs({ name, style, explode }, each)
  })
  return pairs.map((pair) => pair.join('=')).join('&')
}

function writeMultipart(value, { encoding, properties }) {
  const parts = Object.entries(value ?? {}).flatMap(([name, each]) =>
    (Array.isArray(each) ? each : [each]).map((item) => {
      const schema = properties[name]
      const described = schema?.items ?? schema
      const isFile = described?.format === 'binary' || (described?.contentMediaType && !described.contentEncoding)
      const isNested = typeof item === 'object' && item !== null
      const usual = isNested ? 'application/json' : isFile ? 'application/octet-stream' : undefined
      const contentType = encoding[name]?.contentType?.split(',')[0].replace('*', 'octet-stream') ?? usual
      const text = isNested ? JSON.stringify(item) : String(item)
      const file = isFile ? '; filename="file.bin"' : ''
      const typed = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${typed}\r\n${text}\r\n`
    }),
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

/** Schemas of the properties, resolved, also of the parts of an `allOf`. */
function propertiesOf(schema, resolve, depth = 0) {
  const whole = resolve(schema)
  if (typeof whole !== 'object' || whole === null || depth > 5) return {}
  const parts = Array.isArray(whole.allOf) ? whole.allOf : []
  const all = Object.assign({}, ...parts.map((part) => propertiesOf(part, resolve, depth + 1)))
  for (const [name, property] of Object.entries(whole.properties ?? {})) all[name] = resolve(property)
  return all
}

function bare(type) {
  return type.split(';')[0].trim().replace('*', 'form-data')
}
