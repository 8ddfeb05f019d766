/** The sandbox behind MSW, with `setupServer` in Node.js and `setupWorker` in a browser, at documented addresses. */
import type { HttpHandler } from 'msw'
import { createHandlers } from 'petstore-sandbox/msw'
import { type Transport, toBytes, toDocumentedAddress, toOwnHeaders } from './raw-request.js'
import { type Case, whyNot } from './run-case.js'

/** The common part of `setupServer` and `setupWorker`. */
export interface Interception {
  use(...handlers: HttpHandler[]): void
  resetHandlers(): void
}

export function createMswTransport(interception: Interception): Transport {
  return {
    name: 'msw',
    form: 'documented',
    async open(options) {
      const { handlers, sandbox } = createHandlers(options)
      interception.use(...handlers)
      return {
        sandbox,
        close: async () => interception.resetHandlers(),
        async send({ method, target, headers = [], body }) {
          const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
          const response = await fetch(
            toDocumentedAddress(target),
            body === undefined ? init : { ...init, body: toBytes(body) },
          )
          return {
            status: response.status,
            headers: toOwnHeaders([...response.headers], method),
            body: new Uint8Array(await response.arrayBuffer()),
          }
        },
      }
    },
  }
}

/** Headers that a page can't set (Fetch standard, section 2.2.2), as far as the cases use them. */
const forbidden = /^(origin|cookie|content-length|expect|access-control-request-.*)$/i

/** Why MSW can't carry a case; `undefined` if it can. */
export function whyNotInMsw(each: Case, isBrowser: boolean): string | undefined {
  const reason = whyNot({ form: 'documented' }, each)
  if (reason !== undefined) return reason
  for (const step of each.steps) {
    if (typeof step === 'function') continue
    const { origin, pathname } = new URL(toDocumentedAddress(step.target))
    const isBelow =
      origin === 'https://quickstart.petstore.example' ? pathname === '/messages' : /^\/v1(\/|$)/.test(pathname)
    if (!isBelow) return 'MSW ignores addresses below no base'
    const header = step.headers?.find(([name]) => forbidden.test(name))
    if (isBrowser && header) return `a browser sets the header ${header[0]} itself`
  }
  return undefined
}
