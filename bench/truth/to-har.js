/** Writes the exchanges of a recording as an HTTP archive (HAR 1.2). */

const placeholder = /\$\{([^}]+)\}/g
/** Milliseconds between two requests. */
const apart = 20

/**
 * @param recording `exchanges.json` of a recording
 * @param count how many exchanges, from the first one
 */
export function toHar({ prefix = '', from, ids = {}, credentials = {}, exchanges }, count = exchanges.length) {
  const entries = exchanges.slice(0, count).map((exchange, index) => {
    const { method, path, query, body, sent = {}, as, status, type, headers = {}, res, gives = {} } = exchange
    const own = { accept: 'application/json', ...credentialsOf(credentials[as], ids), ...sent }
    const text = toText(body, own['content-type'])
    const pairs = Object.entries(query ?? {}).flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
    const search = query ? `?${new URLSearchParams(pairs)}` : ''
    const cookie = Object.entries(gives).find(([, place]) => place === 'set-cookie')
    const received = {
      ...(type && { 'content-type': type }),
      ...headers,
      ...(cookie && ids[cookie[0]] !== undefined && { 'set-cookie': ids[cookie[0]] }),
    }
    return {
      startedDateTime: new Date(from + index * apart).toISOString(),
      request: {
        ...{ method, url: `http://127.0.0.1${prefix}${path}${search}`, headers: toPairs(own) },
        ...{ bodySize: text?.length ?? 0, ...(text !== undefined && { postData: { text } }) },
      },
      response: { status, headers: toPairs(received), content: isNothing(res) ? {} : { text: toText(res, type) } },
    }
  })
  return { log: { version: '1.2', creator: { name: 'bench', version: '1' }, entries } }
}

const isNothing = (value) => value === null || value === undefined

/** `or` is sent if the server gave no such value. */
function credentialsOf({ headers = {}, or = {} } = {}, ids) {
  const names = Object.values(headers).flatMap((value) => [...value.matchAll(placeholder)].map(([, name]) => name))
  if (names.some((name) => ids[name] === undefined)) return or
  const fill = (value) => value.replace(placeholder, (_, name) => ids[name])
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
}

function toText(body, type = '') {
  if (isNothing(body)) return undefined
  if (typeof body === 'string') return body
  return type.includes('x-www-form-urlencoded') ? `${new URLSearchParams(body)}` : JSON.stringify(body)
}

function toPairs(headers) {
  return Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }))
}
