/**
 * Sends requests of libraries that have no option for their address to the server that is measured: by replacing
 * `http(s).request`, `http(s).get` and `fetch` in this process.
 */
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

/**
 * @param routes an object from the start of an address, `https://upload.example.com/api/2.0`, to the start that replaces it
 * @returns a function that puts everything back
 */
export function redirect(routes) {
  const before = { fetch: globalThis.fetch, http: { ...http }, https: { ...https } }
  const toTarget = (address) => {
    const from = Object.keys(routes).find((each) => address.startsWith(each))
    return from === undefined ? undefined : new URL(`${routes[from]}${address.slice(from.length)}`)
  }

  const requestOf = (module, protocol) => (first, second, third) => {
    const { address, options, callback } = readArguments(protocol, first, second, third)
    const target = toTarget(address)
    if (target === undefined) return before[module].request(first, second, third)
    const { agent, agents, host, hostname, port, path, protocol: _, servername, defaultPort, ...rest } = options
    const { hostname: newHost, port: newPort, pathname, search } = target
    return before.http.request({ ...rest, hostname: newHost, port: newPort, path: `${pathname}${search}` }, callback)
  }

  for (const [name, module] of Object.entries({ http, https })) {
    module.request = requestOf(name, `${name}:`)
    module.get = (...given) => {
      const request = module.request(...given)
      request.end()
      return request
    }
  }
  syncBuiltinESMExports()
  globalThis.fetch = (resource, options) => {
    const isRequest = resource instanceof Request
    const target = toTarget(isRequest ? resource.url : String(resource))
    if (target === undefined) return before.fetch(resource, options)
    return before.fetch(isRequest ? new Request(target, resource) : target, options)
  }

  return () => {
    globalThis.fetch = before.fetch
    for (const [name, module] of Object.entries({ http, https })) {
      module.request = before[name].request
      module.get = before[name].get
    }
    syncBuiltinESMExports()
  }
}

/** The three forms of `request(url, options, callback)`. */
function readArguments(protocol, first, second, third) {
  const hasUrl = typeof first === 'string' || first instanceof URL
  const options = (hasUrl ? (typeof second === 'function' ? undefined : second) : first) ?? {}
  const callback = hasUrl ? (typeof second === 'function' ? second : third) : second
  if (hasUrl) return { address: String(first), options, callback }
  const host = options.hostname ?? options.host ?? 'localhost'
  const port = options.port && !['80', '443'].includes(String(options.port)) ? `:${options.port}` : ''
  return { address: `${options.protocol ?? protocol}//${host}${port}${options.path ?? '/'}`, options, callback }
}
