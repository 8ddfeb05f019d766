/** Hides the key in responses, as a provider may repeat the requests that it received. */
import { encodeBase64 } from '../contract/credentials.js'

export interface KeyHider {
  /** Replaces the key by `***`, in all encodings. */
  hide(text: string): string
  /** Length of the longest encoding of the key. */
  longest: number
}

/** @param key nothing is hidden if it is empty */
export function createKeyHider(key: string): KeyHider {
  // Base64 as in Basic authentication (RFC 7617), without the padding, which depends on what follows.
  const base64 = [key, `${key}:`].map((text) => encodeBase64(text).replace(/=+$/, ''))
  const forms = key === '' ? [] : [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64]
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  return {
    hide: (text) => longestFirst.reduce((hidden, form) => hidden.replaceAll(form, '***'), text),
    longest: longestFirst[0]?.length ?? 0,
  }
}
