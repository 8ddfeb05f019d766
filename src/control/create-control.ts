/** Routes requests outside of the service: health, document, control API, inspector, and an undocumented root page. */
import type { RequestContract } from '../contract/contract.js'
import { parsePathTemplate } from '../contract/path-template.js'
import { shorten } from '../contract/violations.js'
import { toJson } from '../json/exact-json.js'
import { ownValue } from '../json/own-value.js'
import { createLocator } from '../sandbox/request/locate-server.js'
import type { ControlRequest, ControlResponse, OpenStream, SandboxRequest } from '../sandbox/request/request.js'
import { toSendable } from '../sandbox/responses/sendable-response.js'
import type { ControlResult } from './control-api.js'
import type { ControlOptions, SentDocument } from './control-options.js'
import { deny, isReachable } from './guard.js'
import { renderPage } from './page.js'

/** @returns undefined for requests to the service */
export type Control = (request: ControlRequest) => Promise<ControlResponse> | undefined

const base = '/_sandbox'
const below = `${base}/`
/** Followed by the name of a page, such as `tasks/correct.md`. */
const docsPath = `${below}docs/`
const healthPath = `${base}/health`
const inspectorPaths: ReadonlySet<string> = new Set([below, `${base}/inspector.js`, `${base}/inspector.css`])
const common = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const inspectorPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ${common}`
const pagePolicy = `default-src 'none'; style-src 'unsafe-inline'; ${common}`

export function createControl(options: ControlOptions): Control {
  const { sandbox, document, controlDocument, inspector, docs, access, isClosing, writeCurl } = options
  const { tokenPath } = sandbox
  const json = async (sent: Promise<SentDocument>): Promise<[string, string]> => [
    'application/json',
    toJson((await sent).document),
  ]
  const yaml = async (sent: Promise<SentDocument>): Promise<[string, string]> => ['application/yaml', (await sent).text]
  const open: Record<string, () => Promise<[mediaType: string, body: string]>> = {
    [below]: async () => ['text/html; charset=utf-8', (await inspector()).page],
    [`${base}/inspector.js`]: async () => ['text/javascript; charset=utf-8', (await inspector()).script],
    [`${base}/inspector.css`]: async () => ['text/css; charset=utf-8', (await inspector()).style],
    [healthPath]: async () => [
      'application/json',
      JSON.stringify({ status: 'ok', overrides: options.overridesHash?.() }),
    ],
    [`${base}/openapi.yaml`]: () => yaml(document()),
    [`${base}/openapi.json`]: () => json(document()),
    [`${base}/control/openapi.yaml`]: () => yaml(controlDocument()),
    [`${base}/control/openapi.json`]: () => json(controlDocument()),
  }
  let api: Promise<(request: SandboxRequest) => Promise<ControlResult>> | undefined

  return function control(request) {
    const { method, pathname } = request
    const isReading = method === 'GET' || method === 'HEAD'
    if (pathname === '/') {
      if (!isReading || !request.header('accept')?.includes('text/html')) return undefined
      if (isRootDocumented(sandbox.contract, method)) return undefined
      if (isReachable(request, access)) return respond(method, 302, undefined, undefined, { Location: below })
      return respondWithPage(method, `http://${request.header('host') ?? 'localhost'}`)
    }
    if (pathname === base && isReading) return respond(method, 302, undefined, undefined, { Location: below })
    if (!pathname.startsWith(below) && pathname !== base) return undefined
    if (pathname === tokenPath) return undefined
    if (pathname.startsWith(docsPath) && isReading) return respondWithDoc(method, pathname.slice(docsPath.length))
    const resource = Object.hasOwn(open, pathname) ? open[pathname] : undefined
    const isOff = inspectorPaths.has(pathname) && !isReachable(request, access)
    if (!resource || isOff) return controlled(request)
    if (!isReading)
      return refuse(method, 405, 'method_not_allowed', `${method} is not allowed on ${pathname}; allowed: GET, HEAD`)
    // Balancers then send requests elsewhere.
    if (pathname === healthPath && isClosing?.())
      return respond(method, 503, 'application/json', '{"status":"closing"}')
    return resource().then(([mediaType, body]) => respond(method, 200, mediaType, body))
  }

  async function controlled(request: ControlRequest): Promise<ControlResponse> {
    const { method, pathname } = request
    const denial = deny(request, access)
    if (denial) return refuse(method, denial.status, denial.code, denial.message)
    // Loaded when it is used for the first time.
    api ??= import('./assemble-control-api.js').then(({ assembleControlApi }) => assembleControlApi(options))
    const answer = await api
    const path = pathname.slice(base.length) || '/'
    const { status, mediaType, body, headers, stream } = await answer(toControlPath(request, path))
    const response = await respond(
      method,
      status,
      mediaType,
      typeof body === 'string' ? body : undefined,
      headers,
      stream,
    )
    // The inspector sends requests after each request of a client. Logging them would hide the others.
    const isOfInspector = request.header('sec-fetch-site') === 'same-origin'
    return isOfInspector && method === 'GET' && status < 400 ? { ...response, isUnlogged: true } : response
  }

  async function respondWithDoc(method: string, name: string): Promise<ControlResponse> {
    const text = ownValue(await docs(), name)
    // Browsers show plain text, and download Markdown.
    if (typeof text === 'string') return respond(method, 200, 'text/plain; charset=utf-8', text)
    return refuse(method, 404, 'not_found', `There is no page "${shorten(name)}"; ${docsPath}README.md lists them`)
  }

  async function respondWithPage(method: string, origin: string): Promise<ControlResponse> {
    const page = await renderPage(sandbox, origin, await writeCurl(origin))
    return respond(method, 200, 'text/html; charset=utf-8', page, { 'Content-Security-Policy': pagePolicy })
  }
}

/** Whether an operation answers at the root of the sandbox, so that it replaces the page. */
export function isRootDocumented(contract: RequestContract, method: string): boolean {
  const { server = '', path } = createLocator(contract).byMount('/')
  return contract.operations.some(
    (each) =>
      (each.method === 'GET' || each.method === method) &&
      each.servers.includes(server) &&
      parsePathTemplate(each.path).path === path,
  )
}

/** A request with its path below the base of the control API. */
function toControlPath(request: ControlRequest, path: string): SandboxRequest {
  const { method, query } = request
  return {
    ...{ method, path, query, mount: base },
    // The name of the only server of the document.
    server: 'default',
    header: (name) => request.header(name),
    headers: () => request.headers(),
    body: (maxBytes) => request.body(maxBytes),
    left: () => request.left?.(),
  }
}

async function respond(
  method: string,
  status: number,
  mediaType: string | undefined,
  body: string | undefined,
  others: Readonly<Record<string, string>> = {},
  stream?: OpenStream,
): Promise<ControlResponse> {
  const headers: Record<string, string> = {
    ...(mediaType?.startsWith('text/html') && { 'Content-Security-Policy': inspectorPolicy }),
    ...others,
    ...(mediaType !== undefined && { 'Content-Type': mediaType }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  if (status === 405) headers['Allow'] ??= 'GET, HEAD'
  if (stream && method !== 'HEAD') return { ...toSendable({ status, headers, body: undefined }), stream }
  if (method !== 'HEAD') return toSendable({ status, headers, body })
  const length = String(Buffer.byteLength(body ?? ''))
  return toSendable({ status, headers: { ...headers, 'Content-Length': length }, body: undefined })
}

function refuse(method: string, status: number, code: string, message: string): Promise<ControlResponse> {
  return respond(method, status, 'application/json', JSON.stringify({ code, message, status }))
}
