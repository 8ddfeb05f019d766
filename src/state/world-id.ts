/** What identifies worlds within the program. Only these functions and `Keys` make one: no text of a caller is taken for it. */

declare const isMade: unique symbol

/**
 * Identifies a world: its key; a user and the listed key that the user has sent; or the hash of one of these, if a store knows no
 * more. Two control characters, which no key has, tell them apart.
 */
export type WorldId = string & { readonly [isMade]: true }

const beginsHash = '\0'
const beforeApiKey = '\n'

/** For a world that nobody opens. */
export const noWorld: WorldId = '' as WorldId

/**
 * Whether a text has control characters, as no credentials have (RFC 7617, section 2; RFC 6749, appendix A). Those from U+0080 on are
 * none there, and are bytes of UTF-8 in headers.
 */
export function hasControl(text: string): boolean {
  return /[^\P{Cc}\x80-\x9f]/u.test(text)
}

/** @param apiKey the listed key that a user has sent. @default the key itself @returns undefined for a key that is none */
export function toWorldId(key: string, apiKey: string = key): WorldId | undefined {
  if (key === '' || hasControl(key)) return undefined
  return joinNames({ key, apiKey: apiKey === key ? undefined : apiKey })
}

/** The names of a world, as exchanges have them. */
export interface WorldNames {
  /** The key or the user that opened the world. */
  key: string
  /** The listed key that the user has sent. Undefined if `key` is one, or all keys are valid. */
  apiKey?: string | undefined
}

/** @param names those of a world that was opened */
export function joinNames({ key, apiKey }: WorldNames): WorldId {
  return (apiKey === undefined ? key : key + beforeApiKey + apiKey) as WorldId
}

export function namesOf(id: WorldId): WorldNames {
  const [key = '', apiKey] = id.split(beforeApiKey)
  return { key, apiKey }
}

export function ofHash(hash: string): WorldId {
  return (beginsHash + hash) as WorldId
}

/** The hash in an id. Undefined if it has none. */
export function hashIn(id: WorldId): string | undefined {
  return id.startsWith(beginsHash) ? id.slice(beginsHash.length) : undefined
}
