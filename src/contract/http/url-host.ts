/** Writes hosts in URLs. */

/** A host for a URL: a server that listens on all addresses is reachable on loopback. */
export function toUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  // URLs do not allow the zone of an address (URL standard, section 3.5).
  return host.includes(':') ? `[${host.replace(/%.*/s, '')}]` : host
}
