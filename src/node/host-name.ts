/** Recognizes the names of hosts to allow. */
import { isIP } from 'node:net'

/** Describes a valid host to allow, for messages. */
export const aHostName = 'a name such as api.example.com, without a protocol, a port and a path, or * for every name'

/** Whether it can be a name in a `Host` header, or `*`. */
export function isHostName(name: string): boolean {
  return /^[^\s/?#@:[\]]+$/.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) === 6
}

/** Describes a valid host for callbacks, for messages. */
export const aTargetHost =
  'a name or an address with an optional port, such as hooks.example.com:8443, or * for every host'

/** Whether it can be the host of a URL, or `*`. */
export function isTargetHost(host: string): boolean {
  return toTargetHost(host) !== undefined
}

/**
 * Normalizes a host as in URLs: in lower case, in Punycode, with the shortest address (URL standard, section 3.5), and
 * without the final dot.
 * @returns undefined if no URL can have such a host
 * @example toTargetHost('BÜCHER.example.:0443') // 'xn--bcher-kva.example:443'
 */
export function toTargetHost(text: string): string | undefined {
  const host = isIP(text) === 6 ? `[${text}]` : text
  if (/[\s/\\?#@]|:$/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  const { hostname, port } = new URL(`http://${host}`)
  // URLs omit the default port.
  const given = /:0*80$/.test(host) ? '80' : port
  return withoutRoot(hostname) + (given === '' ? '' : `:${given}`)
}

/** A name without the final dot of a fully qualified name (RFC 1034, section 3.1). */
export function withoutRoot(name: string): string {
  return name.replace(/\.$/, '')
}

/** Whether only this machine reaches a server that listens on a host. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}
