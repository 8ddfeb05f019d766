/** Reads the address of a Redis server. */
import { SandboxError } from '../contract/sandbox-error.js'

export interface RedisAddress {
  host: string
  port: number
  isEncrypted: boolean
  username: string | undefined
  password: string | undefined
  /** Number of the database. */
  db: number
  /** What the names of all keys begin with, in braces. */
  prefix: string
}

const form = 'redis://[user:password@]host[:port][/database][?prefix=name], or rediss:// for TLS'

/**
 * @param url `redis://` or `rediss://`; port 6379, database 0 and the prefix `petstore-sandbox` are the defaults
 * @throws SandboxError `INVALID_OPTION`; the message does not contain the user or password
 */
export function parseRedisAddress(url: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw invalid('the address is not complete')
  const { protocol, hostname, port, username, password, pathname, searchParams } = parsed
  const host = hostname.replace(/^\[|\]$/g, '')
  const db = pathname.replace(/^\//, '')
  if (!/^\d{0,4}$/.test(db)) throw invalid(`"${pathname}" is not the number of a database`)
  const unknown = [...searchParams.keys()].find((name) => name !== 'prefix')
  if (unknown !== undefined) throw invalid(`unknown parameter "${unknown}"; available: prefix`)
  const prefix = searchParams.get('prefix') ?? 'petstore-sandbox'
  if (!/^[^{}]+$/.test(prefix)) throw invalid(`a prefix has at least one character, and no braces (got "${prefix}")`)
  return {
    host,
    port: port === '' ? 6379 : Number(port),
    isEncrypted: protocol === 'rediss:',
    username: decode(username),
    password: decode(password),
    db: Number(db),
    prefix,
  }
}

function decode(text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text)
  } catch {
    throw invalid('the user or password has a "%" that is not written as "%25"')
  }
}

function invalid(why: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `Failed to read the address of Redis: ${why}. It is written as ${form}`)
}
