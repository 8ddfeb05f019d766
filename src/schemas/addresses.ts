/** The addresses of records, which begin with that of the first server. */
import type { MadeValue } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { ownValue } from '../json/own-value.js'
import { flattenSchema } from './flatten-schema.js'

/** The address of the first server. */
export function homeOf({ servers }: OpenApiDocument): URL {
  const [{ url = '/', variables = {} } = {}] = servers ?? []
  const written = url.replace(/\{([^{}]*)\}/g, (_, name: string) => String(ownValue(variables, name)?.default ?? name))
  const standard = 'https://example.com'
  return new URL(URL.canParse(written, standard) ? written : '/', standard)
}

/** Addresses without a host that their schema does not allow get one. */
export function withOrigin(document: OpenApiDocument, schema: Located<Schema>, made: MadeValue): MadeValue {
  const [first, ...others] = made.parts
  if (typeof first !== 'string' || !/^\/(?!\/)/.test(first)) return made
  const leaf = made.pointer.reduce<Located<Schema> | undefined>(
    (at, name) => at && flattenSchema(document, at).properties.get(name),
    schema,
  )
  const isAbsolute = leaf && /^(uri|url)$/.test(flattenSchema(document, leaf).keywords.format ?? '')
  return isAbsolute ? { ...made, parts: [`${homeOf(document).origin}${first}`, ...others] } : made
}
