/** Compiles security schemes, which define where a request has its credentials (OpenAPI 3.1, section 4.8.27). */
import type { OAuth, Operation, SecurityScheme, Server } from '../../contract/contract.js'
import { writeCredentials } from '../../contract/credentials.js'
import type { DocumentPath, OpenApiDocument, SecuritySchemeObject } from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import { resolve } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { createNamed, isObject } from '../../json/own-value.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { neededCredentials } from '../../schemas/operations/needed-credentials.js'

export interface CompiledSchemes {
  schemes: Record<string, SecurityScheme>
  /** Returns alternative lists of schemes. Empty if an alternative requires nothing, so that credentials are optional. */
  securityOf(operation: DescribedOperation): string[][]
}

const places = ['header', 'query', 'cookie'] as const
const types = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'] as const

/** @param notes collects schemes that are not required or are approximated */
export function compileSecuritySchemes(document: OpenApiDocument, notes: Notes): CompiledSchemes {
  const schemes = createNamed<SecurityScheme>()
  const optional = new Set<string>()
  for (const [name, written] of Object.entries(document.components?.securitySchemes ?? {})) {
    const at = ['components', 'securitySchemes', name]
    const { value } = resolve<SecuritySchemeObject>(document, written, at)
    const isCertificate = value.type?.toLowerCase() === 'mutualtls'
    if (isCertificate) notes.addLimit(at, 'Client certificates are not checked', 'requests without one are accepted')
    const scheme = compileScheme(value, (message, instead) => notes.add(at, message, instead))
    if (scheme) schemes[name] = scheme
    else optional.add(name)
  }

  function isRequired(name: string, at: DocumentPath): boolean {
    if (schemes[name]) return true
    if (!optional.has(name)) {
      const message = `The security scheme "${name}" is not defined in components.securitySchemes`
      notes.add(at, message, 'it is not required')
    }
    return false
  }

  /** Keeps only the first of several schemes in one place, because a request has only one `Authorization` header. */
  function withoutSamePlaces(names: string[], at: DocumentPath): string[] {
    const used = new Map<string, { name: string; text: string }>()
    return names.filter((name) => {
      const text = toJson(schemes[name])
      const { in: where, name: field } = writeCredentials(schemes[name] as SecurityScheme, '')
      const place = where === 'header' ? `header ${field.toLowerCase()}` : `${where} ${field}`
      const other = used.get(place)
      if (!other) used.set(place, { name, text })
      else if (other.text !== text) {
        const message = `"${name}" and "${other.name}" require different credentials in one place (${place})`
        notes.add(at, message, `"${name}" is not required`)
      }
      return !other
    })
  }

  return {
    schemes,
    securityOf(operation) {
      const { value, at } = operation
      const place = value.security ? [...at, 'security'] : ['security']
      const alternatives = neededCredentials(document, operation).map((each) => {
        const names = Object.keys(each).filter((name) => isRequired(name, place))
        return withoutSamePlaces(names, place)
      })
      return alternatives.some((names) => names.length === 0) ? [] : alternatives
    },
  }
}

type Note = (message: string, instead: string) => void

/** @returns undefined if requests need nothing for the scheme */
function compileScheme(written: SecuritySchemeObject, note: Note): SecurityScheme | undefined {
  const { type = '', name = '', scheme = '' } = written
  const known = types.find((each) => each.toLowerCase() === type.toLowerCase())
  if (known !== undefined && known !== type) note(`"${type}" is not a type of security scheme`, `"${known}" is used`)
  switch (known) {
    case 'oauth2':
    case 'openIdConnect':
      // Tokens are sent as bearer tokens (RFC 6750).
      return { kind: 'bearer' }
    case 'mutualTLS':
      return undefined
    case 'apiKey':
      if (name !== '') return { kind: 'apiKey', in: compilePlace(written, note), name }
      note('An API key must have a name', 'it is not required')
      return undefined
    case 'http':
      if (isToken(scheme)) return toHttpScheme(scheme)
      note(`"${scheme}" is not an HTTP authentication scheme`, '"bearer" is used')
      return { kind: 'bearer' }
    case undefined: {
      // In Swagger 2.0 and in incorrect documents, an HTTP scheme is a type.
      const isHttp = /^(basic|bearer)$/i.test(type)
      note(`"${type}" is not a type of security scheme`, isHttp ? '"http" is used' : 'it is not required')
      return isHttp ? toHttpScheme(type) : undefined
    }
  }
}

function toHttpScheme(scheme: string): SecurityScheme {
  const lower = scheme.toLowerCase()
  return lower === 'bearer' || lower === 'basic' ? { kind: lower } : { kind: 'http', scheme }
}

function compilePlace({ in: written = '' }: SecuritySchemeObject, note: Note): (typeof places)[number] {
  const place = places.find((each) => each === written.toLowerCase())
  if (place !== written) {
    note(`An API key must be in ${places.join(', ')} (got "${written}")`, `"${place ?? 'header'}" is used`)
  }
  return place ?? 'header'
}

/** Whether a text is a token (RFC 9110, section 5.6.2). */
function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text)
}

/** The names of properties and parameters whose schemas have the format `password` (OpenAPI 3.1, section 4.4). */
export function findSecretNames(document: OpenApiDocument): string[] {
  const names = new Set<unknown>()
  const schemas: Record<string, unknown> = document.components?.schemas ?? {}
  // Grows during the loop. A set, because YAML aliases share parts.
  const parts = new Set<unknown>([document])
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) parts.add(each)
    if (!isObject(part)) continue
    const { properties, name, schema } = part
    const named = [...Object.entries(isObject(properties) ? properties : {}), [name, schema]]
    for (const [own, each] of named) if (isPassword(each)) names.add(own)
  }
  return [...names].filter((name) => typeof name === 'string').sort()

  function isPassword(schema: unknown): boolean {
    if (!isObject(schema)) return false
    const target = schemas[String(schema['$ref']).replace(/^#\/components\/schemas\//, '')]
    return [schema, target].some((each) => isObject(each) && each['format'] === 'password')
  }
}

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

/** The paths of an operation: below the base, and with the base path or mount of the server. */
function pathsOf(server: Server | undefined, path: string): string[] {
  return server ? [path, server.basePath + path, server.mount + path] : []
}

/** The path of a token endpoint on the server, relative to the base if it is below it. */
function tokenPathsOn({ url, basePath }: Server, tokenUrl: string): string[] {
  const base = `${URL.canParse(url) ? url : `http://relative${basePath}`}/`
  if (!URL.canParse(tokenUrl, base)) return []
  const { host, pathname } = new URL(tokenUrl, base)
  if (host !== new URL(base).host || pathname === '/') return []
  return [pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname]
}
