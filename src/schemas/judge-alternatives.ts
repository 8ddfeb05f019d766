/** Validates alternatives: reports only what is wrong in the closest one. */
import { _, type Ajv2020, type AnySchemaObject, Name } from 'ajv/dist/2020.js'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import type { SchemaError, Validate } from '../contract/validator.js'
import { withLazy } from '../document/once.js'
import { isObject, ownValue } from '../json/own-value.js'
import { isOfType } from '../json/typed-value.js'
import { maxCompared, redefine, scope, toComparableText } from './ajv-keywords.js'

/** A validator that is compiled when a value reaches it. */
export interface Later {
  readonly validate: Inner
}

/** A validator that Ajv's code calls. */
type Inner = Validate & { evaluated?: object }

export const toLater = <T extends object>(part: T, compile: () => Validate): T & Later =>
  withLazy(part, 'validate', compile)

/** The keyword beside alternatives that says which of them judges a value: that of the value of a property. */
export const chosenBy = 'x-sandbox-chosen-by'

/** The keyword beside alternatives that has their names, or empty texts. */
export const alternativeNames = 'x-sandbox-alternatives'

export interface ChosenBy {
  name: string
  /** The index of an alternative by the comparable text of the property. Others are judged by none. */
  indexes: Record<string, number>
}

/** Variables of compiled code: the number of errors, and the errors. */
export const count: Name = new Name('errors')
const found = new Name('vErrors')

/**
 * Of a value that no alternative accepts, only reports what is wrong in the closest one: one mistake is one violation. Of
 * `contains` and `propertyNames`, only reports the keyword, because the other items may be right.
 * @param compileTarget compiles each of many alternatives when a value reaches it. Absent for a module
 */
export function judgeAlternatives(ajv: Ajv2020, keyword: string, compileTarget?: (name: string) => Validate): void {
  let added = 0
  const laterOf = (part: AnySchemaObject | boolean) => {
    const schema = typeof part === 'boolean' ? { allOf: [part] } : part
    const isTarget = typeof schema.$ref === 'string' && Object.keys(schema).length === 1
    const name: string = isTarget ? schema.$ref : `${keyword}${added++}`
    if (!isTarget) ajv.addSchema(schema, name)
    return toLater({ schema }, () => compileTarget?.(name) as Validate)
  }
  redefine(ajv, keyword, {}, (judge) => (context, rule) => {
    const { gen, it, data, schema, parentSchema, subschema, error } = context
    const parts: AnySchemaObject[] = Array.isArray(schema) ? schema : []
    const chosen: ChosenBy | undefined = parts.length > 0 ? parentSchema[chosenBy] : undefined
    const names = parts.map((_part, index) => parentSchema[alternativeNames]?.[index] || `number ${index + 1}`)
    // Code for each of many alternatives would be nested as deeply, and take quadratic time.
    if (compileTarget && parts.length > maxCompared && (chosen || !it.opts.unevaluated)) {
      const later = parts.map(laterOf)
      const ref = chosen ? byProperty(chosen, later) : byClosest(ajv, keyword, later, names)
      callRef(context, gen.scopeValue('validate', { ref }))
      return
    }
    if (chosen) {
      const exact = _`(${data}?.[Symbol.for("exact")] ?? ${data})?.[${chosen.name}]`
      const indexes = new _Code(JSON.stringify(chosen.indexes))
      const at = gen.const('at', _`(${indexes})[${scope(context, toComparableText)}(${exact})]`)
      const valid = gen.name('_valid')
      for (const schemaProp of new Set(Object.values(chosen.indexes))) {
        gen.if(_`${at} === ${schemaProp}`, () => {
          context.mergeValidEvaluated(context.subschema({ keyword, schemaProp }, valid), valid)
        })
      }
      return
    }
    const start = gen.const('start', count)
    const ends = parts.map(() => gen.let('end', -1))
    context.subschema = (part, valid) => {
      const result = subschema.call(context, part, valid)
      const end = ends[Number('schemaProp' in part ? part.schemaProp : -1)]
      if (end && it.createErrors !== false) gen.assign(end, count)
      return result
    }
    context.error = (...args) => {
      error.apply(context, args)
      if (it.createErrors === false) return
      const list = ends.reduce((code, end) => _`${code}, ${end}`, _`${start}`)
      const written = new _Code(JSON.stringify(names))
      gen.assign(count, _`${scope(context, chooseClosest)}(${found}, [${list}], ${written})`)
    }
    judge(context, rule)
  })
}

/** Validates by the alternative that a property chooses. */
function byProperty({ name, indexes }: ChosenBy, parts: readonly Later[]): Inner {
  const validate: Inner = (value, context) => {
    const known = value as Record<string | symbol, Record<string, unknown>> | null | undefined
    const text = toComparableText((known?.[Symbol.for('exact')] ?? known)?.[name])
    const chosen = parts[ownValue(indexes, text) ?? -1]?.validate
    const isValid = chosen?.(value, context) ?? true
    return Object.assign(validate, { errors: chosen?.errors, evaluated: chosen?.evaluated ?? {} }) && isValid
  }
  return validate
}

/**
 * Validates by the alternatives that a value may satisfy, as far as types and names say, or else by the few that are closest:
 * to compile one takes about a millisecond, to look at it a microsecond.
 */
function byClosest(
  ajv: Ajv2020,
  keyword: string,
  parts: readonly (Later & { schema: AnySchemaObject })[],
  names: readonly string[],
): Inner {
  const validate: Inner = (value, context) => {
    const errors: SchemaError[] = []
    const ends = [0]
    const passing: number[] = []
    const distances = parts.map(({ schema }, index) => ({ index, distance: distanceOf(ajv, schema, value) }))
    const possible = distances.filter(({ distance }) => distance === 0)
    // Of other types, one each: the message lists them.
    const byType = distances.map(
      (each) => [each.distance < 1e9 ? each.index : String(parts[each.index]?.schema.type), each] as const,
    )
    const closest = [...new Map(byType).values()]
      .sort((one, other) => one.distance - other.distance)
      .slice(0, maxCompared)
    const tried: string[] = []
    for (const { index } of possible.length > 0 ? possible : closest) {
      tried.push(names[index] ?? '')
      const part = parts[index] as Later
      // Validators are called once without a value, which need not compile the alternatives.
      if (value === undefined || part.validate(value, context)) passing.push(index)
      else for (const each of part.validate.errors ?? []) errors.push(each)
      ends.push(errors.length)
      if (passing.length === (keyword === 'oneOf' && value !== undefined ? 2 : 1)) break
    }
    const isValid = passing.length === 1
    const params = { passingSchemas: passing.length > 1 ? passing : null }
    errors.push({ keyword, instancePath: context?.instancePath ?? '', params })
    chooseClosest(errors, ends, [...tried, ...names.slice(tried.length)])
    validate.errors = isValid ? null : errors
    return isValid
  }
  return validate
}

/** How far a value is from a schema: the number of names that are missing or not allowed. At least 1e9 for another type. */
function distanceOf(ajv: Ajv2020, schema: AnySchemaObject | boolean | undefined, value: unknown): number {
  if (typeof schema !== 'object') return schema === false ? 1 : 0
  const { $ref, type, required = [], properties = {}, patternProperties, additionalProperties, allOf = [] } = schema
  const isOther = type !== undefined && ![type].flat().some((each) => isOfType(value, each))
  if (isOther) return type === 'null' ? 2e9 : 1e9
  const parts = $ref === undefined ? allOf : [...allOf, ajv.schemas[$ref]?.schema]
  const distance = parts.reduce((sum: number, part: AnySchemaObject) => sum + distanceOf(ajv, part, value), 0)
  if (!isObject(value)) return distance
  const missing = required.filter((name: string) => !Object.hasOwn(value, name))
  const isClosed = additionalProperties === false && !patternProperties
  const unknown = isClosed ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : []
  return distance + missing.length + unknown.length
}

/**
 * Removes the errors of all alternatives but the closest one, and that of the keyword itself, which is the last. Validators
 * contain the code of this function, so it must not use anything outside of itself.
 * @param ends where the errors of the alternatives begin and end
 * @param names those of the alternatives, and of others that were not tried
 * @returns the number of errors
 */
function chooseClosest(all: SchemaError[], [start = 0, ...ends]: number[], names: readonly string[]): number {
  const [whole] = all.slice(-1) as [SchemaError]
  let before = start
  const parts = ends.flatMap((end, index) => {
    const part = all.slice(before, Math.max(end, 0))
    before = Math.max(before, end)
    const here = part.filter(({ instancePath }) => instancePath === whole.instancePath)
    const own = here.find(({ keyword }) => keyword === 'type')
    const listed = here.find(({ keyword }) => keyword === 'const' || keyword === 'enum')
    // A constant distinguishes alternatives, so that a wrong one counts more than other mistakes, as does what is missing.
    const costs: Record<string, number> = { const: 10, enum: 10, required: 3 }
    const cost = part.reduce((sum, { keyword }) => sum + (costs[keyword] ?? 1), 0)
    const far = own?.params['type'] === 'null' ? 2e9 : 1e9
    return part.length > 0 ? [{ part, own, listed, cost: own ? far : cost, name: names[index] }] : []
  })
  all.length = start
  const [closest] = parts.sort((one, other) => (one.cost < other.cost ? -1 : Number(one.cost > other.cost)))
  const left = !closest || whole.params['passingSchemas'] ? [whole] : closest.part
  for (const each of left) all.push(each)
  // Other types and values are in the message.
  const unclear = parts.filter(({ own, listed }) => !own && !listed).length
  const isUnclear = left === closest?.part && unclear > 0 && (unclear > 1 || names.length > ends.length)
  if (isUnclear) for (const { params } of left) params['closest'] ??= `; the closest alternative is ${closest?.name}`
  // A value that no alternative has says which there are: `must be a string or null`, `must be one of a, b`.
  const types = new Set(parts.flatMap(({ own }) => own?.params['type'] ?? []))
  if (closest?.own) closest.own.params = { type: [...types] }
  const values = parts.flatMap(({ listed }) => listed?.params['allowedValues'] ?? listed?.params['allowedValue'] ?? [])
  if (closest?.listed) Object.assign(closest.listed, { keyword: 'enum', params: { allowedValues: values } })
  return all.length
}
