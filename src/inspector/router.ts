/** Keeps the view in the address after `#`, so that a reload or a link leads to the same view. */
import { type Signal, signal } from '@preact/signals'

export interface Route {
  /** `requests`, `data` … */
  view: string
  /** The parts of the address after the view. */
  parts: string[]
  query: URLSearchParams
}

export const route: Signal<Route> = signal(readRoute())

/** The filters of the requests, which stay while the user looks at other views. */
export const kept: Signal<string> = signal('')
kept.value = keptOf(route.value)

addEventListener('hashchange', () => {
  const { hash } = location
  if (readRoute().view === 'requests' && kept.value !== '' && !hash.includes('?')) replaceHash(`${hash}?${kept.value}`)
  else route.value = readRoute()
  kept.value = keptOf(route.value)
})

function keptOf({ view, query }: Route): string {
  return view === 'requests' ? query.toString() : kept.value
}

function replaceHash(hash: string): void {
  history.replaceState(null, '', location.pathname + location.search + hash)
  route.value = readRoute()
}

/** Sets values of the query, without a step of the history. Undefined and an empty text remove one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, parts } = route.value
  const query = Object.entries({ ...Object.fromEntries(route.value.query), ...changes }).filter(([, text]) => text)
  const text = new URLSearchParams(query as [string, string][]).toString()
  replaceHash(toHash(view, ...parts) + (text === '' ? '' : `?${text}`))
  kept.value = keptOf(route.value)
}

/** A value of the query, as a signal. */
export function queryValue(name: string): { value: string } {
  return {
    get value() {
      return route.value.query.get(name) ?? ''
    },
    set value(text) {
      setQuery({ [name]: text })
    },
  }
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...parts] = path.split('/').map((part) => decode(part))
  return { view: view || 'requests', parts, query: new URLSearchParams(query) }
}

export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** @example toHash('data', 'books') // '#/data/books' */
export function toHash(...parts: (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}

/** The address with the current filter of the table. */
export function withQuery(hash: string): string {
  const { query } = route.value
  return query.size === 0 ? hash : `${hash}?${query}`
}

/** The address of a page of the docs. @example toDocs('corrections.md#hints') // '#/docs/corrections.md?at=hints' */
export function toDocs(page: string): string {
  const [name = '', at] = page.split('#')
  return `${toHash('docs', ...name.split('/'))}${at === undefined ? '' : `?at=${at}`}`
}

export function goTo(...parts: (string | number)[]): void {
  location.hash = toHash(...parts)
}
