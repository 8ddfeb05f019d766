/** Cursors of pages: opaque texts that stay right while records are added and removed. */
import { decodeBytes, encodeBytes } from '../json/base64.js'
import type { StoredRecord } from '../state/stored-record.js'

const toText = ({ values }: StoredRecord, key: string) => String(values[key])

/**
 * The cursor of the page that begins at an index, or that ends before it.
 * @param isKey whether it is the key of a record
 */
export function cursorAt(
  sorted: readonly StoredRecord[],
  index: number,
  key: string,
  isKey: boolean,
  isBefore = false,
): string | undefined {
  const record = sorted[isBefore ? index : index - 1]
  if (!record) return undefined
  const text = toText(record, key)
  return isKey ? text : toOpaque(`${isBefore ? '<' : ''}${index} ${text}`)
}

/** Where a cursor leads to: the index at which its page begins, or before which it ends. */
export interface FoundCursor {
  index: number
  isEnd: boolean
}

/** @param as whether a cursor may be the key of the record before or behind the page */
export function findCursor(
  cursor: string,
  sorted: readonly StoredRecord[],
  key: string,
  as: 'cursor' | 'after' | 'before',
): FoundCursor | undefined {
  const own = as === 'cursor' ? -1 : sorted.findIndex((record) => toText(record, key) === cursor)
  if (own !== -1) return as === 'before' ? { index: own, isEnd: true } : { index: own + 1, isEnd: false }
  if (/^\d{1,15}$/.test(cursor)) return as === 'cursor' ? { index: Number(cursor), isEnd: false } : undefined
  const [, sign, number, text] = /^(<?)(\d+) ([\s\S]*)$/.exec(fromOpaque(cursor)) ?? []
  if (number === undefined) return undefined
  const index = sorted.findIndex((record) => toText(record, key) === text)
  const isEnd = sign === '<' || as === 'before'
  // The record may be gone: those behind it have moved up.
  if (isEnd) return { index: index === -1 ? Number(number) : index, isEnd }
  return { index: index === -1 ? Math.max(Number(number) - 1, 0) : index + 1, isEnd }
}

/** Without characters that addresses escape (RFC 4648, section 5). */
function toOpaque(text: string): string {
  const base64 = encodeBytes(new TextEncoder().encode(text))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromOpaque(cursor: string): string {
  const base64 = cursor.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = decodeBytes(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
  return bytes ? new TextDecoder().decode(bytes) : ''
}
