/** Compiles what a document says about tokens of OAuth 2.0 (OpenAPI 3.1, section 4.8.28). */
import type { OAuth, Operation, Server } from '../contract/contract.js'
import { isObject } from '../json/is-object.js'
import type { OpenApiDocument, SecuritySchemeObject } from './document.js'
import { resolve } from './references.js'

/** @returns undefined if the document has no scheme of OAuth 2.0 */
export function compileOAuth(
  document: OpenApiDocument,
  servers: readonly Server[],
  operations: readonly Operation[],
): OAuth | undefined {
  const schemes = Object.entries(document.components?.securitySchemes ?? {})
    .map(([name, written]) => {
      return resolve<SecuritySchemeObject>(document, written, ['components', 'securitySchemes', name]).value
    })
    .filter(({ type }) => type?.toLowerCase() === 'oauth2')
  if (schemes.length === 0) return undefined
  const flows = schemes.flatMap(({ flows }) => (isObject(flows) ? Object.values(flows) : [])).filter(isObject)
  const urls = flows.flatMap(({ tokenUrl }) => (typeof tokenUrl === 'string' ? tokenUrl : []))
  const scopes = flows.flatMap(({ scopes }) => (isObject(scopes) ? Object.keys(scopes) : []))
  const paths = urls.flatMap((url) => servers.flatMap((server) => tokenPathsOn(server, url)))
  const byName = new Map(servers.map((server) => [server.name, server]))
  const isTaken = (token: string) =>
    operations.some(({ path, servers: own }) => {
      return token.endsWith(path) && own.some((name) => pathsOf(byName.get(name), path).includes(token))
    })
  return { tokenPaths: [...new Set(paths)].filter((path) => !isTaken(path)), scopes: [...new Set(scopes)] }
}

/** The paths of an operation: below a base, and as requests have them. */
function pathsOf(server: Server | undefined, path: string): string[] {
  return server ? [path, server.basePath + path, server.mount + path] : []
}

/** The path of a token endpoint that is an address of the server: below its base if it is there. */
function tokenPathsOn({ url, basePath }: Server, tokenUrl: string): string[] {
  const base = `${URL.canParse(url) ? url : `http://relative${basePath}`}/`
  if (!URL.canParse(tokenUrl, base)) return []
  const { host, pathname } = new URL(tokenUrl, base)
  if (host !== new URL(base).host || pathname === '/') return []
  return [pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname]
}
