/** What an operation requires of the credentials of a request. */
import type {
  Located,
  OpenApiDocument,
  Schema,
  SecurityRequirement,
  SecuritySchemeObject,
} from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { endsLikeSecret, isEntrance, isLoginTokenName } from '../../lexicon/keys.js'
import { flattenSchema } from '../flatten-schema.js'
import type { DescribedOperation } from './describe-operations.js'
import { findSuccess } from './find-success.js'

/**
 * Its own alternatives, or those of the document (OpenAPI 3.1, section 4.8.10). A login cannot need what it gives, so that only
 * its own count. Without any, a required parameter that is that of a scheme requires the scheme.
 */
export function neededCredentials(document: OpenApiDocument, operation: DescribedOperation): SecurityRequirement[] {
  const { security } = operation.value
  if (security) return security
  const usual = document.security ?? []
  if (usual.length > 0) return isLogin(document, operation) ? [] : usual
  const isRefused = ['401', '403'].some((status) => operation.responses.has(status))
  const schemes = isRefused ? Object.entries(document.components?.securitySchemes ?? {}) : []
  return schemes.flatMap(([name, written]): SecurityRequirement[] => {
    const at = ['components', 'securitySchemes', name]
    const { value: scheme } = resolve<SecuritySchemeObject>(document, written, at)
    const isIn = operation.parameters.some(
      ({ value }) => value.required === true && value.in === scheme.in && value.name === scheme.name,
    )
    return scheme.type === 'apiKey' && isIn ? [{ [name]: [] }] : []
  })
}

/** Whether an operation takes a password, and gives a token or is called an entrance: `POST /auth/register` */
function isLogin(document: OpenApiDocument, operation: DescribedOperation): boolean {
  if (operation.method !== 'POST' || !operation.body) return false
  const { content = {} } = operation.body.value
  const isSecret = Object.entries(content).some(([type, { schema }]) => {
    const path = [...(operation.body?.path ?? []), 'content', type, 'schema']
    return schema !== undefined && namesIn(document, { value: schema, path }).some(endsLikeSecret)
  })
  if (!isSecret) return false
  const last = operation.path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'))
  const shown = findSuccess(document, operation)?.schema
  return isEntrance(last ?? '') || (shown !== undefined && namesIn(document, shown, 1).some(isLoginTokenName))
}

/** The names of properties. @param depth of the objects in it that count, too */
function namesIn(document: OpenApiDocument, schema: Located<Schema>, depth = 0): string[] {
  const { properties } = flattenSchema(document, schema)
  const inner = depth > 0 ? [...properties.values()].flatMap((each) => namesIn(document, each, depth - 1)) : []
  return [...properties.keys(), ...inner]
}
