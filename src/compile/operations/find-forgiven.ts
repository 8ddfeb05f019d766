/**
 * Finds what an operation requires although its document says elsewhere that it is not needed: it is in the path, is not described,
 * an example of the request lacks it, the service makes it, or a change has the schema of a creation.
 * Generators often mark such values as required.
 */

import type { Forgiven } from '../../contract/request-model.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { isObject } from '../../json/own-value.js'
import { saysOptional } from '../../lexicon/parameter-texts.js'
import { recordOfKey } from '../../lexicon/record-names.js'
import { bareName } from '../../lexicon/words.js'
import { examplesAt, schemaExamples } from '../../schemas/examples.js'
import { type FlatSchema, flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import { matchesFormat } from '../../schemas/formats.js'
import { type DescribedOperation, describeOperations } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'

/** Parts that are deeper, or beyond a number, are not looked up. */
const maxDepth = 5
const maxParts = 5_000

export function findForgiven(document: OpenApiDocument, operation: DescribedOperation): Forgiven[] {
  const found: Forgiven[] = []
  let parts = 0
  const schemas = bodySchemas(operation)
  const inPath = operation.parameters.filter(({ value }) => value.in === 'path').map(({ value }) => value.name)
  const bodies = schemas.map((schema) => flattenSchema(document, schema))
  for (const parameter of operation.parameters) {
    const { in: place, name, required, description } = parameter.value as typeof parameter.value & WithDescription
    if (place === 'path' || place === 'querystring' || !required) continue
    const flat = flattenSchema(document, parameterSchema(parameter))
    const isInBody = bodies.some(({ properties }) => properties.has(name))
    if (isInBody) found.push({ in: place, at: name, rule: 'required', instead: name })
    // A query cannot say null in any other way.
    else if (isNotNeeded(flat, description) || (place === 'query' && flat.types.has('null')))
      found.push({ in: place, at: name, rule: 'required' })
  }
  for (const schema of schemas)
    visit(schema, '', 0, examplesAt(document, { path: schema.path.slice(0, -1), is: 'draft' }))
  const files = filesIn(document, bodies[schemas.findIndex(isForm)])
  // A form has only one file, so its name does not matter.
  if (files.length === 1) found.push({ in: 'body', at: files[0] ?? '', rule: 'required', isFile: true })
  return found

  /** @param samples the values at this place in the examples of the request */
  function visit(schema: Located<Schema>, at: string, depth: number, samples: readonly unknown[]): void {
    const flat = flattenSchema(document, schema)
    const shown = [...samples, ...schemaExamples(document, schema)]
    if (at !== '' && isOtherType(flat, shown)) found.push({ in: 'body', at, rule: 'type' })
    if (at !== '' && isOtherFormat(flat, shown)) found.push({ in: 'body', at, rule: 'format' })
    if (depth > maxDepth || ++parts > maxParts) return
    if (flat.items)
      visit(
        flat.items,
        `${at}[]`,
        depth + 1,
        shown.flatMap((each) => (Array.isArray(each) ? each : [])),
      )
    const objects = shown.filter(isObject)
    const isWhole =
      operation.method === 'PATCH' && flat.properties.size > 1 && wholeBodies(document).has(placeOf(document, schema))
    const toPlace = (name: string) => (at === '' ? name : `${at}.${name}`)
    for (const name of flat.required) {
      const property = flat.properties.get(name)
      // A name without a property is a mistake if others have one.
      const isForgiven =
        (at === '' && isWhole) ||
        (property ? isNotNeeded(flattenSchema(document, property)) : flat.properties.size > 0) ||
        objects.some((each) => !Object.hasOwn(each, name)) ||
        // What is in a list is another record.
        (!at.includes('[]') && inPath.some((parameter) => isKeyOf(parameter, name)))
      if (isForgiven) found.push({ in: 'body', at: toPlace(name), rule: 'required' })
    }
    // The value of a change may be of any type (RFC 6902, section 4).
    if (['op', 'path', 'value'].every((name) => flat.properties.has(name)))
      found.push({ in: 'body', at: toPlace('value'), rule: 'type' })
    for (const [name, property] of flat.properties) {
      const inner = objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []))
      visit(property, toPlace(name), depth + 1, inner)
    }
  }
}

/** The schemas of the body of a request, one for each media type. */
function bodySchemas({ body }: DescribedOperation): Located<Schema>[] {
  return Object.entries(body?.value.content ?? {}).map(([name, value]) =>
    schemaOf({ value, path: [...(body?.path ?? []), 'content', name] }),
  )
}

/** The places of the schemas with which records are created or replaced. */
const wholeBodies = oncePer((document: OpenApiDocument) => {
  const writing = describeOperations(document).filter(({ method }) => method === 'POST' || method === 'PUT')
  return new Set(writing.flatMap(bodySchemas).map((schema) => placeOf(document, schema)))
})

function isForm({ path }: Located<Schema>): boolean {
  return path.at(-2) === 'multipart/form-data'
}

/** The properties of a form that are files. */
function filesIn(document: OpenApiDocument, form: FlatSchema | undefined): string[] {
  return [...(form?.properties ?? [])].flatMap(([name, schema]) =>
    flattenSchema(document, schema).keywords.format === 'binary' ? [name] : [],
  )
}

/** Whether examples of an object without properties are no objects: generators describe a value of any type as an object. */
function isOtherType({ types, properties }: FlatSchema, samples: readonly unknown[]): boolean {
  const isAnyObject = types.size === 1 && types.has('object') && properties.size === 0
  return isAnyObject && samples.some((value) => typeof value !== 'object' || Array.isArray(value))
}

interface WithDescription {
  description?: string
}

/** Whether a description says that a value is optional, or made by the service. */
function isNotNeeded({ keywords }: FlatSchema, description = ''): boolean {
  const { description: own = '' } = keywords as WithDescription
  return saysOptional(`${description} ${own}`)
}

/** Whether the path has the value: `project` is the record with the key `project_id`. */
function isKeyOf(parameter: string, name: string): boolean {
  return [bareName(parameter), recordOfKey(parameter)].includes(bareName(name))
}

/** Whether an example of a text does not have its format. */
function isOtherFormat({ keywords: { format } }: FlatSchema, samples: readonly unknown[]): boolean {
  return format !== undefined && samples.some((value) => typeof value === 'string' && !matchesFormat(format, value))
}
