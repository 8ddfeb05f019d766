/** Recognizes the names of hosts to allow. */
import { isIP } from 'node:net'

/** What a host to allow must be, for messages. */
export const aHostName = 'a name such as api.example.com, without a protocol, a port and a path, or * for every name'

/** Whether it can be a name in a `Host` header, or `*`. */
export function isHostName(name: string): boolean {
  return /^[^\s/?#@:[\]]+$/.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) === 6
}

/** What a host that callbacks may be sent to must be, for messages. */
export const aTargetHost =
  'a name or an address with an optional port, such as hooks.example.com:8443, or * for every host'

/** Whether it can be the host of a URL, or `*`. */
export function isTargetHost(host: string): boolean {
  return isHostName(host) || (/^[^\s/?#@]+:\d{1,5}$/.test(host) && URL.canParse(`http://${host}`))
}

/** Whether only this machine reaches a server that listens on a host. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}
