/** Compiles security schemes, which define where a request contains its key (OpenAPI 3.1, section 4.8.27). */
import type { SecurityScheme } from '../contract/contract.js'
import type { DescribedOperation } from './describe-operations.js'
import {
  DocumentProblem,
  type OpenApiDocument,
  type SecurityRequirement,
  type SecuritySchemeObject,
} from './document.js'
import { resolve } from './references.js'

export function compileSecuritySchemes(document: OpenApiDocument): Record<string, SecurityScheme> {
  const written = Object.entries(document.components?.securitySchemes ?? {})
  return Object.fromEntries(
    written.map(([name, scheme]) => {
      const { value } = resolve<SecuritySchemeObject>(document, scheme, ['components', 'securitySchemes', name])
      return [name, compileScheme(value)]
    }),
  )
}

/** OAuth and OpenID Connect tokens are sent as bearer tokens (RFC 6750). */
function compileScheme({ type, scheme, in: place, name }: SecuritySchemeObject): SecurityScheme {
  if (type === 'apiKey' && place && name) return { kind: 'apiKey', in: place, name }
  if (type === 'http' && scheme?.toLowerCase() === 'basic') return { kind: 'basic' }
  return { kind: 'bearer' }
}

/** Returns alternative lists of schemes. An alternative `{}` makes the key optional: the result is empty. */
export function compileSecurity(document: OpenApiDocument, { value, at }: DescribedOperation): string[][] {
  const alternatives: SecurityRequirement[] = value.security ?? document.security ?? []
  if (alternatives.some((alternative) => Object.keys(alternative).length === 0)) return []
  return alternatives.map((alternative) =>
    Object.keys(alternative).map((name) => {
      if (document.components?.securitySchemes?.[name] === undefined) {
        throw new DocumentProblem(`The security scheme "${name}" is not defined in components.securitySchemes`, [
          ...at,
          'security',
        ])
      }
      return name
    }),
  )
}
