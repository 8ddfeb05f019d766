/** Upgrades the parts of a Swagger 2.0 document that do not move. */
import { isObject } from '../../../json/own-value.js'

export type Json = Record<string, unknown>

const flows: Record<string, string> = { application: 'clientCredentials', accessCode: 'authorizationCode' }
/** The address of the first server. */
export function addressOf({ host, basePath, schemes }: Json): string {
  const path = typeof basePath === 'string' ? basePath : '/'
  if (typeof host !== 'string' || host === '') return path
  const known = listOf(schemes).map(String)
  const scheme = known.includes('https') || known.length === 0 ? 'https' : known[0]
  return `${scheme}://${host}${path.startsWith('/') ? '' : '/'}${path}`.replace(/\/$/, '')
}

export function upgradeScheme(scheme: unknown): unknown {
  if (!isObject(scheme)) return scheme
  const { flow, authorizationUrl, tokenUrl, scopes, ...upgraded } = scheme
  if (scheme['type'] === 'basic') return { ...upgraded, type: 'http', scheme: 'basic' }
  if (scheme['type'] !== 'oauth2') return scheme
  return { ...upgraded, flows: { [flows[String(flow)] ?? String(flow)]: { authorizationUrl, tokenUrl, scopes } } }
}

/**
 * Rewrites each `$ref` and the schema keywords that have another form.
 * @param isMoved whether the definitions move to the components
 */
export function upgradeSchemas(document: Json, isMoved = true): void {
  const seen = new Set<object>()
  const open: unknown[] = [document]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    open.push(...Object.values(value))
    if (!isObject(value)) continue
    const { $ref, discriminator } = value
    if (isMoved && typeof $ref === 'string') value['$ref'] = upgradeReference($ref)
    if (typeof discriminator === 'string') value['discriminator'] = { propertyName: discriminator }
    if (value['x-nullable'] === true) value['nullable'] = true
    if (value['type'] === 'file') Object.assign(value, { type: 'string', format: 'binary' })
  }
}

function upgradeReference($ref: string): string {
  return $ref
    .replace(/^#\/definitions\//, '#/components/schemas/')
    .replace(/^#\/(parameters|responses)\//, '#/components/$1/')
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
