/** Writes events one after the other: as SSE (WHATWG HTML, section 9.2), lines of JSON, or RFC 7464. */
import { isObject } from '../json/own-value.js'

/** One event. Only SSE has more than the data. */
export interface StreamEvent {
  data: string
  event?: string | undefined
  id?: string | undefined
  retry?: string | undefined
}

const isSse = /^text\/event-stream\b/i
const isSequence = /^application\/json-seq\b/i

/** @param end the data that ends a stream of SSE, such as `[DONE]` */
export function writeStream(mediaType: string, events: readonly StreamEvent[], end?: string): string {
  if (!isSse.test(mediaType)) {
    const before = isSequence.test(mediaType) ? '\x1e' : ''
    return events.map(({ data }) => `${before}${data}\n`).join('')
  }
  const all = end === undefined ? events : [...events, { data: end }]
  return all.map(writeEvent).join('')
}

function writeEvent({ data, event, id, retry }: StreamEvent): string {
  const fields = Object.entries({ event, id, retry }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value.replaceAll(/[\r\n\0]/g, ' ')}\n`],
  )
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${[...fields, ...lines].join('')}\n`
}

/**
 * @param isEnvelope whether the value has the fields of an event
 * @param write writes JSON
 */
export function toStreamEvent(value: unknown, isEnvelope: boolean, write: (value: unknown) => string): StreamEvent {
  if (!isEnvelope || !isObject(value)) return { data: write(value) }
  const { data, event, id, retry } = value
  const text = (field: unknown) => (field === undefined || field === null ? undefined : String(field))
  return {
    data: typeof data === 'string' ? data : write(data ?? null),
    ...{ event: text(event), id: text(id), retry: text(retry) },
  }
}
