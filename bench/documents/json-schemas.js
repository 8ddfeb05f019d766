/** Validates values by the schemas of a document, with Ajv, and gives schemas to tools that follow no reference. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { toRegExp } from './expressions.js'
import { createTidySchema } from './tidy-schema.js'

const addFormats = formats.default ?? formats
/** Ajv resolves keys of schemas as addresses. */
const base = 'https://document/'

const ajvOptions = {
  strict: false,
  meta: false,
  validateSchema: false,
  allErrors: true,
  verbose: true,
  // Ajv divides doubles: without a precision, 1.14 is no multiple of 0.01.
  multipleOfPrecision: 9,
  inlineRefs: false,
  logger: false,
  code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
}

/**
 * @param mode `request` or `response`
 * @param isLenient accepts a value that fits several parts of a `oneOf`, and null beside an `enum` if it is nullable
 */
export function createSchemas({ document, resolve, mode, isLenient }) {
  const is30 = !/^3\.[1-9]/.test(String(document.openapi))
  const ajv = is30 ? new Ajv(ajvOptions) : new Ajv2020(ajvOptions)
  addFormats(ajv)
  const keys = new Map()
  const tidied = new Map()
  const validators = new WeakMap()

  const tidy = createTidySchema({ is30, resolve, mode, toReference, isLenient })

  function toReference(reference) {
    const known = keys.get(reference)
    if (known !== undefined) return known
    const key = `${base}${keys.size}`
    keys.set(reference, key)
    const schema = tidy(resolve({ $ref: reference }) ?? {})
    tidied.set(key, schema)
    ajv.addSchema(schema, key)
    return key
  }

  return {
    /** Returns the errors of Ajv; none if there is no schema. @throws Error if the schema can't be compiled */
    errorsOf(schema, value) {
      if (typeof schema !== 'object' || schema === null) return []
      let validate = validators.get(schema)
      if (validate === undefined) {
        validate = ajv.compile(tidy(schema))
        validators.set(schema, validate)
      }
      return validate(value) ? [] : [...validate.errors]
    },
    /** Returns a schema on its own, with all that it refers to. */
    toWhole(schema) {
      const names = new Map()
      const whole = toLocal(tidy(schema), names)
      const $defs = {}
      // The map grows while it is read.
      for (const [key, name] of names) $defs[name] = toLocal(tidied.get(key), names)
      return names.size === 0 ? whole : { ...whole, $defs }
    },
  }
}

/** @param names gets a name for each schema that is referred to */
function toLocal(value, names) {
  if (Array.isArray(value)) return value.map((each) => toLocal(each, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name !== '$ref' || typeof each !== 'string' || !each.startsWith(base)) return [name, toLocal(each, names)]
      if (!names.has(each)) names.set(each, `schema${names.size}`)
      return [name, `#/$defs/${names.get(each)}`]
    }),
  )
}
