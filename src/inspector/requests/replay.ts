/** Writes an exchange as a command or code, and sends it again. */
import type { Exchange, Pair } from '../api-types.js'
import { calledBy, keyOf } from '../store.js'

/** What browsers, curl and connections add themselves. */
const noise =
  /^(host|connection|keep-alive|user-agent|content-length|transfer-encoding|te|expect|accept-encoding|accept-language|origin|referer|cookie|priority|pragma|cache-control|dnt|sec-.*|upgrade-insecure-requests)$/i
const hidden = '[hidden]'

/** A request with its whole address. */
export interface Replay {
  method: string
  target: string
  headers: Pair[]
  body: string | undefined
}

/** With the key of the world in place of credentials that the journal hides, if it is known. */
export function toReplay(exchange: Exchange): Replay {
  const { request, world } = exchange
  const key = keyOf(world ?? '')
  const { method, query, headers, body } = request
  const reveal = (text: string) => (key === undefined ? text : text.replaceAll(hidden, encodeURIComponent(key)))
  const kept = headers.filter(({ name }) => !noise.test(name))
  return {
    method,
    target: calledBy(exchange) + (query === '' ? '' : `?${reveal(query)}`),
    headers: kept.map(({ name, value }) => ({ name, value: revealHeader(value, key) })),
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
  }
}

function revealHeader(value: string, key: string | undefined): string {
  if (key === undefined || !value.includes(hidden)) return value
  return value.replaceAll(hidden, /^basic /i.test(value) ? btoa(key.includes(':') ? key : `${key}:`) : key)
}

/** Whether it lacks credentials that the journal hides. */
export function needsKey(exchange: Exchange): boolean {
  const { target, headers } = toReplay(exchange)
  return target.includes(hidden) || headers.some(({ value }) => value.includes(hidden))
}

/** Callbacks go to an address of their own. */
function toAddress(target: string): string {
  return target.startsWith('/') ? location.origin + target : target
}

export async function send({ method, target, headers, body }: Replay): Promise<Response> {
  const cookies = headers.filter(({ name }) => /^cookie$/i.test(name)).flatMap(({ value }) => value.split(/; */))
  // A page cannot set the header itself.
  for (const cookie of cookies) setCookie(cookie)
  try {
    return await fetch(target, {
      method,
      headers: headers
        .filter(({ name }) => !/^cookie$/i.test(name))
        .map(({ name, value }): [string, string] => [name, value]),
      ...(body !== undefined && { body }),
      redirect: 'manual',
      cache: 'no-store',
    })
  } finally {
    for (const cookie of cookies) setCookie(`${cookie.split('=')[0]}=; max-age=0`)
  }
}

function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: few browsers have the Cookie Store API without HTTPS
  document.cookie = `${text}; path=/; SameSite=Strict`
}

export function toCurl(replay: Replay): string {
  const { method, target, headers, body } = replay
  const isUsual = method === (body === undefined ? 'GET' : 'POST')
  return [
    'curl',
    ...(isUsual ? [] : method === 'HEAD' ? ['--head'] : [`-X ${method}`]),
    ...headers.map(({ name, value }) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    quote(toAddress(target)),
  ].join(' ')
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function toFetch({ method, target, headers, body }: Replay): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          `  headers: {\n${headers.map(({ name, value }) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`).join('\n')}\n  },`,
        ]),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
  ]
  const address = JSON.stringify(toAddress(target))
  return options.length === 0 ? `await fetch(${address})` : `await fetch(${address}, {\n${options.join('\n')}\n})`
}
