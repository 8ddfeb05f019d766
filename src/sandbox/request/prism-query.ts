/** `?__code=`, `?__example=` and `?__dynamic=`, the query parameters of Prism, as preferences. */
import { change, type SandboxRequest } from './request.js'

/** Reads and removes the parameters before anything judges the query. They come before the preferences of the header. */
export type ReadPrismQuery = (request: SandboxRequest) => SandboxRequest

const parameters = new Set(['__code', '__example', '__dynamic'])

export const readPrismQuery: ReadPrismQuery = (request) => {
  if (!request.query.includes('__')) return request
  const preferences: string[] = []
  const others = request.query.split('&').filter((part) => {
    const [name = '', ...value] = part.split('=')
    if (!parameters.has(name)) return true
    // A quote would end the value in the header.
    preferences.push(`${name.slice(2)}="${decode(value.join('=')).replaceAll('"', '')}"`)
    return false
  })
  if (preferences.length === 0) return request
  const given = request.header('prefer')
  const prefer = [...preferences, ...(given === undefined ? [] : [given])].join(', ')
  return change(request, {
    query: others.join('&'),
    header: (name) => (name === 'prefer' ? prefer : request.header(name)),
    headers: () => [...request.headers(), 'Prefer', preferences.join(', ')],
  })
}

function decode(text: string): string {
  return new URLSearchParams(`value=${text}`).get('value') ?? ''
}
