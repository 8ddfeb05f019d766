/** Writes the value of a parameter as its style says (OpenAPI 3.1, "Style Values"). */

const separators = { form: ',', simple: ',', spaceDelimited: '%20', pipeDelimited: '%7C' }
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns the text of a path parameter, or of a header that is not encoded */
export function writeSimple({ name, style, explode, mediaType }, value, encode) {
  if (mediaType !== undefined) return encode(JSON.stringify(value))
  const flat = flatten(value, { explode, encode })
  const items = flat.map(([key, text]) => (isObject(value) && explode ? `${key}=${text}` : text))
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return items.join(',')
  if (!explode || typeof value !== 'object') return `;${name}=${items.join(',')}`
  return flat.map(([key, text]) => `;${isObject(value) ? key : name}=${text}`).join('')
}

/** @returns the pairs of a query, of a cookie, or of a form; encoded */
export function writePairs({ name, style, explode, mediaType }, value, encode = encodeURIComponent) {
  if (mediaType !== undefined) return [[encode(name), encode(JSON.stringify(value))]]
  if (style === 'deepObject' && typeof value === 'object') return deepPairs(encode(name), value, encode)
  const flat = flatten(value, { explode, encode })
  if (typeof value !== 'object' || !explode) {
    return [[encode(name), flat.map(([, text]) => text).join(separators[style] ?? ',')]]
  }
  return flat.map(([key, text]) => [isObject(value) ? key : encode(name), text])
}

/** Pairs of key and text. The keys of an object that does not explode are items of their own. */
function flatten(value, { explode, encode }) {
  const toText = (each) => encode(typeof each === 'object' && each !== null ? JSON.stringify(each) : String(each))
  if (Array.isArray(value)) return value.map((each) => ['', toText(each)])
  if (!isObject(value)) return [['', toText(value)]]
  const pairs = Object.entries(value).map(([key, each]) => [encode(key), toText(each)])
  return explode
    ? pairs
    : pairs.flatMap(([key, text]) => [
        ['', key],
        ['', text],
      ])
}

function deepPairs(name, value, encode) {
  return Object.entries(value).flatMap(([key, each]) => {
    const below = `${name}[${encode(key)}]`
    if (typeof each === 'object' && each !== null) return deepPairs(below, each, encode)
    return [[below, encode(String(each))]]
  })
}
