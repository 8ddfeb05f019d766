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
  const taken = new Set(servers.flatMap((server) => pathsOf(server, operations)))
  const paths = urls.flatMap((url) => servers.flatMap((server) => tokenPathsOn(server, url)))
  return { tokenPaths: [...new Set(paths)].filter((path) => !taken.has(path)), scopes: [...new Set(scopes)] }
}

/** The paths of operations: below a base, and as requests have them. */
function pathsOf({ name, basePath, mount }: Server, operations: readonly Operation[]): string[] {
  const own = operations.filter(({ servers }) => servers.includes(name))
  return own.flatMap(({ path }) => [path, basePath + path, mount + path])
}

/** The path of a token endpoint that is an address of the server: below its base if it is there. */
function tokenPathsOn({ url, basePath }: Server, tokenUrl: string): string[] {
  const base = `${URL.canParse(url) ? url : `http://relative${basePath}`}/`
  if (!URL.canParse(tokenUrl, base)) return []
  const { host, pathname } = new URL(tokenUrl, base)
  if (host !== new URL(base).host || pathname === '/') return []
  return [pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname]
}
