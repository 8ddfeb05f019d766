/** Hides a key in what a provider says of the requests that it got. */
import { encodeBase64 } from '../contract/credentials.js'

export interface KeyHider {
  /** @returns the text with `***` for the key, in whatever way it is written */
  hide(text: string): string
  /** Length of the longest way to write it. */
  longest: number
}

export function createKeyHider(key: string): KeyHider {
  // Base64 as Basic authentication has it (RFC 7617), whatever stands behind it.
  const base64 = [key, `${key}:`].map((text) => encodeBase64(text).replace(/=+$/, ''))
  const forms = key === '' ? [] : [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64]
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  return {
    hide: (text) => longestFirst.reduce((hidden, form) => hidden.replaceAll(form, '***'), text),
    longest: longestFirst[0]?.length ?? 0,
  }
}
