/** Upgrades the parts of a Swagger 2.0 document that do not move. */
import { isObject, ownValue } from '../../json/own-value.js'

export type Json = Record<string, unknown>

/** Marks styles that OpenAPI 3 does not have in a place. */
export const swaggerStyle = 'x-sandbox-swagger-style'
/** The separator of the items of an array that is an item itself. */
export const separatorName = 'x-sandbox-separator'

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
  if (isMoved) nameSubtypes(document)
}

/**
 * The value of a discriminator "MUST be the name of this schema or any schema that inherits it". It may also be the name that
 * an extension gives. Authors who list or show other values mean these.
 */
function nameSubtypes({ components }: Json): void {
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {}
  const parents = new Map<string, string[]>()
  const own = (schema: unknown) => [schema, ...listOf(isObject(schema) ? schema['allOf'] : [])].filter(isObject)
  for (const [name, schema] of Object.entries(schemas)) {
    for (const { $ref } of own(schema)) {
      const parent = /^#\/components\/schemas\/([^/]+)$/.exec(String($ref))?.[1]
      if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), name])
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const { discriminator } = isObject(schema) ? schema : {}
    const property = isObject(discriminator) ? String(discriminator['propertyName']) : ''
    const heirs = new Set([name])
    // The set grows during the loop.
    for (const heir of heirs) for (const each of parents.get(heir) ?? []) heirs.add(each)
    const parts = [...heirs].flatMap((each) => own(schemas[each]))
    const written = parts.flatMap(({ properties }) => (isObject(properties) && ownValue(properties, property)) || [])
    const [value] = written
    if (heirs.size < 2 || written.length !== 1 || !isObject(value) || 'enum' in value || '$ref' in value) continue
    const values = [
      ...heirs,
      ...parts.map((part) => part['x-ms-discriminator-value']).filter((each) => each !== undefined),
    ]
    const shown = [value['example'], value['default']]
    if (shown.every((each) => each === undefined || values.includes(each))) value['enum'] = values
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
