/** Brings a schema of OpenAPI to what Ajv reads: keywords of a wrong type are left out, and those of 3.0 translated. */

const types = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value) => isObject(value) || typeof value === 'boolean'
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount = (value) => Number.isInteger(value) && value >= 0
const isText = (value) => typeof value === 'string'
const isBoolean = (value) => typeof value === 'boolean'
const isList = (value) => Array.isArray(value) && value.length > 0

/** Keywords that are copied, with what makes them usable. */
const plain = {
  multipleOf: (value) => isNumber(value) && value > 0,
  maximum: isNumber,
  minimum: isNumber,
  maxLength: isCount,
  minLength: isCount,
  maxItems: isCount,
  minItems: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  maxContains: isCount,
  minContains: isCount,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  uniqueItems: isBoolean,
  pattern: isText,
  format: isText,
  enum: isList,
  const: () => true,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(Array.isArray),
}

/** Keywords with one schema, with a list of schemas, and with schemas by name. */
const single = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['patternProperties', 'dependentSchemas']

/**
 * @param mode `request` or `response`: a request need not have read-only properties, a response no write-only ones
 * @param toReference returns the `$ref` that Ajv knows
 * @param isLenient reads `oneOf` as `anyOf`, and `nullable` as null beside any `enum`
 */
export function createTidySchema({ is30, resolve, mode, toReference, isLenient = false }) {
  const flag = mode === 'request' ? 'readOnly' : 'writeOnly'

  return function tidy(schema, inherited = new Set()) {
    if (!isObject(schema)) return schema !== false || is30
    const reference = isText(schema.$ref) ? { $ref: toReference(schema.$ref) } : {}
    // Beside a $ref nothing counts in OpenAPI 3.0.
    if (isText(schema.$ref) && is30) return reference
    const unneeded = new Set([...inherited, ...flaggedNames(schema)])
    const tidied = reference
    for (const [keyword, isUsable] of Object.entries(plain)) {
      if (keyword in schema && isUsable(schema[keyword])) tidied[keyword] = schema[keyword]
    }
    for (const keyword of ['maximum', 'minimum']) {
      const exclusive = keyword === 'maximum' ? 'exclusiveMaximum' : 'exclusiveMinimum'
      if (schema[exclusive] !== true || tidied[keyword] === undefined) continue
      tidied[exclusive] = tidied[keyword]
      delete tidied[keyword]
    }
    const named = [schema.type].flat().filter((type) => types.has(type))
    if (named.length > 0) {
      const all = schema.nullable === true && is30 ? [...new Set([...named, 'null'])] : named
      tidied.type = all.length === 1 ? all[0] : all
    }
    if (isLenient && [tidied.type].flat().includes('null') && tidied.enum && !tidied.enum.includes(null)) {
      tidied.enum = [...tidied.enum, null]
    }
    if (Array.isArray(schema.required)) {
      const required = schema.required.filter((name) => isText(name) && !unneeded.has(name))
      if (required.length > 0) tidied.required = [...new Set(required)]
    }
    if (isObject(schema.properties)) tidied.properties = mapValues(schema.properties, (each) => tidy(each))
    for (const keyword of maps) {
      if (isObject(schema[keyword])) tidied[keyword] = mapValues(schema[keyword], (each) => tidy(each, unneeded))
    }
    for (const keyword of lists) {
      if (isList(schema[keyword])) tidied[keyword] = schema[keyword].map((each) => tidy(each, unneeded))
    }
    if (isLenient && tidied.oneOf) {
      tidied.allOf = [...(tidied.allOf ?? []), { anyOf: tidied.oneOf }]
      delete tidied.oneOf
    }
    for (const keyword of single) if (isSchema(schema[keyword])) tidied[keyword] = tidy(schema[keyword], unneeded)
    if (isSchema(schema.items)) tidied.items = tidy(schema.items)
    if (isSchema(schema.additionalProperties)) {
      const { additionalProperties } = schema
      tidied.additionalProperties = isBoolean(additionalProperties) ? additionalProperties : tidy(additionalProperties)
    }
    return tidied
  }

  /** Names of the properties that the mode does not need, also of the parts of an `allOf`. */
  function flaggedNames(schema, seen = new Set()) {
    const whole = resolve(schema)
    if (!isObject(whole) || seen.has(whole)) return []
    seen.add(whole)
    const own = Object.entries(isObject(whole.properties) ? whole.properties : {})
      .filter(([, property]) => property?.[flag] === true || resolve(property)?.[flag] === true)
      .map(([name]) => name)
    const parts = Array.isArray(whole.allOf) ? whole.allOf.flatMap((part) => flaggedNames(part, seen)) : []
    return [...own, ...parts]
  }
}

/** Without a prototype setter for `__proto__`. */
function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
