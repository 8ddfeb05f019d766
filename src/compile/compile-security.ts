/** Compiles security schemes, which define where a request contains its key (OpenAPI 3.1, section 4.8.27). */
import type { SecurityScheme } from '../contract/contract.js'
import type { DescribedOperation } from './describe-operations.js'
import type { OpenApiDocument, SecurityRequirement, SecuritySchemeObject } from './document.js'
import type { Notes } from './notes.js'
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
export function compileSecurity(
  document: OpenApiDocument,
  { value, at }: DescribedOperation,
  notes: Notes,
): string[][] {
  const place = value.security ? [...at, 'security'] : ['security']
  const isDefined = (name: string): boolean => {
    if (document.components?.securitySchemes?.[name] !== undefined) return true
    const message = `The security scheme "${name}" is not defined in components.securitySchemes`
    notes.add(place, message, 'it is not required')
    return false
  }
  const written: SecurityRequirement[] = value.security ?? document.security ?? []
  const alternatives = written.map((alternative) => Object.keys(alternative).filter(isDefined))
  return alternatives.some((names) => names.length === 0) ? [] : alternatives
}
