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

addEventListener('hashchange', () => {
  route.value = readRoute()
})

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...parts] = path.split('/').map((part) => decode(part))
  return { view: view || 'requests', parts, query: new URLSearchParams(query) }
}

function decode(part: string): string {
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
