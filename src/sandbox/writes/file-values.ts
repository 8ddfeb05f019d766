/** What a record says of the file that is uploaded with it. Separate, because only such records need hashes. */
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { FileValue } from '../../contract/effects/effect.js'
import { encodeBytes } from '../../json/base64.js'
import { ownValue } from '../../json/own-value.js'
import type { FilePart } from '../../media/fields.js'
import type { Values } from '../../state/stored-record.js'

const hashes = { md5, sha1, sha256 }

/** @param given the properties of the record that the request has: the caller may choose names and types */
export function describeFile(values: readonly FileValue[], file: FilePart, given: Values): Values {
  const entries = values.flatMap(({ property, is, as }): [string, unknown][] => {
    const value = factOf(is, file, as)
    const isChosen = (is === 'name' || is === 'type' || is === 'extension') && ownValue(given, property) !== undefined
    return value === undefined || isChosen ? [] : [[property, value]]
  })
  return Object.fromEntries(entries)
}

function factOf(is: FileValue['is'], { bytes, name, type }: FilePart, as: FileValue['as']): unknown {
  if (is === 'name') return name
  if (is === 'type') return type === '' ? undefined : type.split(';')[0]?.trim()
  if (is === 'extension') return name?.includes('.') ? name.split('.').at(-1) : undefined
  if (is === 'encoding') return 'base64'
  if (is === 'size') return as === 'text' ? String(bytes.length) : bytes.length
  const hash = hashes[is](bytes)
  return as === 'base64' ? encodeBytes(hash) : bytesToHex(hash)
}
