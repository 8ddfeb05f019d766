/** Infers the meaning of error body properties from names, descriptions and examples. */
import type { ErrorSource } from '../../contract/documented-response.js'
import type { SchemaObject } from '../../document/document.js'
import {
  type ErrorName,
  isNamed,
  isOfRequestOrRecord,
  isTextFormat,
  isWritten,
  saysForMachines,
  saysForPeople,
  saysStatus,
  violationPart,
} from '../../lexicon/error-properties.js'

/** How likely a text is meant for people: from 4 for a message to 1 for a code. 0 for other texts. */
export type Strength = 0 | 1 | 2 | 3 | 4

/** @param shown a documented example, if there is one */
export function strengthOf(name: string | undefined, keywords: SchemaObject, shown: unknown): Strength {
  const { format, pattern, maxLength, description } = keywords
  if (pattern !== undefined || (maxLength !== undefined && Number(maxLength) < 20)) return 0
  if (format !== undefined && !isTextFormat(String(format))) return 0
  // An unnamed list item has the purpose of the list.
  if (name === undefined) return 3
  const is = (kind: ErrorName) => isNamed(kind, name)
  const example = typeof shown === 'string' ? shown : ''
  if (/^\w+:\/\//.test(example)) return 0
  if (is('message')) return 4
  // RFC 9457, section 3.1.3: a title is the same for all occurrences.
  if (is('title')) return 3
  if (is('phrase')) return 1
  if (/\S \S+ \S/.test(example) && !is('other')) return 4
  if (isCodeText(shown)) return 1
  if (is('summary')) return 3
  if (is('code') || is('keyword')) return 1
  if (is('other')) return 0
  if (saysForPeople(String(description ?? ''))) return 3
  return saysForMachines(String(description ?? '')) ? 1 : 2
}

/** Whether a number or a text is the status of the response. */
export function isStatusPlace(name: string, { type, description }: SchemaObject, shown: unknown): boolean {
  const isDescribed = saysStatus(String(description ?? ''))
  if (!isDescribed && !isNamed('status', name)) return false
  if (/integer|number/.test(String(type))) return typeof shown !== 'number' || (shown >= 100 && shown <= 599)
  return /^\d{3}$/.test(String(shown ?? (isDescribed || isWritten('http', name) ? 500 : '')))
}

const isCodeText = (shown: unknown) =>
  typeof shown === 'string' && /^[A-Z0-9]+(_[A-Z0-9]+)+$|^[a-z]+(_[a-z]+)+$/.test(shown)

/** @param isEntry whether the property describes one violation, so that a name and a code belong to the violation */
export function sourceOf(name: string, isEntry: boolean, shown: unknown): ErrorSource | undefined {
  const found = violationPart(name)
  if (found === 'pointer' || found === 'field') {
    if (!isEntry && isOfRequestOrRecord(name)) return undefined
    const text = String(shown)
    return text.startsWith('#') ? 'fragment' : text.startsWith('/') ? 'pointer' : found
  }
  if (!isEntry) return found === 'keyword' ? found : undefined
  return found ?? (/^name$/i.test(name) ? 'field' : isNamed('code', name) ? 'keyword' : undefined)
}

/** The source of a text next to a message with a clearer name. */
export function besideMessage(name: string, shown: unknown): ErrorSource | undefined {
  if (isNamed('phrase', name)) return 'phrase'
  if (isNamed('codeBeside', name) || isNamed('code', name) || isCodeText(shown)) return 'code'
  return isNamed('title', name) ? 'title' : undefined
}
