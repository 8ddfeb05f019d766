/**
 * Generates values of a schema. A chooser makes every decision, so that its owner can go through all alternatives: which part
 * of a `oneOf`, which type, whether a property is present, which value of an enum.
 */
import { generateSync } from 'json-schema-faker'
import { toRegExp } from '../documents/expressions.js'
import { hash } from '../documents/random.js'

/** No value can be generated, for example because a schema requires itself. */
export class NoValue extends Error {}

/** The name of a property that the schema does not name. */
export const otherName = 'zzOther'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value) => (Array.isArray(value) ? value : [])
const deepest = 20
const longestText = 5000
const mostItems = 40

const samples = {
  'date-time': ['2026-01-02T03:04:05Z', '2025-11-12T13:14:15Z'],
  date: ['2026-01-02', '2025-11-12'],
  time: ['03:04:05Z', '13:14:15Z'],
  duration: ['P1D', 'PT2H'],
  email: ['ada@service.example', 'bo@service.example'],
  'idn-email': ['ada@service.example'],
  hostname: ['service.example', 'api.service.example'],
  ipv4: ['192.0.2.1', '192.0.2.20'],
  ipv6: ['2001:db8::1'],
  uri: ['https://service.example/page', 'https://service.example/other'],
  url: ['https://service.example/page', 'https://service.example/other'],
  'uri-reference': ['/page'],
  iri: ['https://service.example/page'],
  uuid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'],
  byte: ['dGV4dA==', 'b3RoZXI='],
  regex: ['^a$'],
  'json-pointer': ['/a'],
}
/** Texts that the patterns of documents often accept. */
const usualTexts = [
  '1',
  '12',
  'a',
  'A',
  'AB',
  'abc',
  'ABC',
  '2026-01-02',
  '1.0',
  'en',
  'EUR',
  '1234567890',
  '+14155550100',
]

/**
 * @param mode `request` has no read-only properties, `response` no write-only ones
 * @param is30 whether the document is one of OpenAPI 3.0
 */
export function createGenerator({ resolve, mode, is30 }) {
  const isOfResponse = mode === 'response'
  const unwanted = isOfResponse ? 'writeOnly' : 'readOnly'
  const isLeftOut = (schemas) => schemas.some((each) => each?.[unwanted] === true || resolve(each)?.[unwanted] === true)

  /**
   * @param choose `(at, kind, count, isAgain) => index`. Of kind `present`, 0 is present and 1 is absent; of kind `type`, null
   * is the last. `isAgain`: the schema contains itself here
   * @param budget the number of values after which no optional one follows
   * @param onLeaf gets each path of what is no object, with its merged schema
   * @param onFailure gets each path that is left out because no value was found
   * @param onUndescribed gets each path that is required, but not described
   * @param items the number of items of a list that may have any
   * @throws NoValue
   */
  return function generate(
    schema,
    { choose, budget = Number.POSITIVE_INFINITY, onLeaf, onFailure, onUndescribed, items = 1 },
  ) {
    let nodes = 0
    return make([schema], '', { depth: 0, seen: [] })

    function make(schemas, at, { depth, seen }) {
      if (depth > deepest) throw new NoValue(`${at}: too deep`)
      nodes += 1
      const flat = flatten(schemas, { at, choose, resolve, is30, isOfResponse })
      const types = typesOf(flat)
      if (types.length === 0) throw new NoValue(`${at}: no type fits all parts`)
      const inOrder = [...types.filter((each) => each !== 'null'), ...types.filter((each) => each === 'null')]
      const type = inOrder[inOrder.length === 1 ? 0 : choose(at, 'type', inOrder.length)]
      const isAgain = [...flat.seen].some((each) => seen.includes(each))
      const below = { depth: depth + 1, seen: [...seen, ...flat.seen] }
      if (type === 'object' && flat.values === undefined) return makeObject(flat, { at, below, isAgain })
      onLeaf?.(at, flat)
      if (type === 'array' && flat.values === undefined) return makeList(flat, at, below)
      return makeScalar(flat, type, at)
    }

    function makeObject(flat, { at, below, isAgain }) {
      const value = {}
      const pathOf = (name) => (at === '' ? name : `${at}.${name}`)
      const isChosen = (path) => nodes <= budget && choose(path, 'present', 2, isAgain) === 0
      for (const [name, schemas] of flat.properties) {
        const isRequired = flat.required.has(name)
        if (isLeftOut(schemas) || !(isRequired || isChosen(pathOf(name)))) continue
        try {
          setOwn(value, name, make(schemas, pathOf(name), below))
        } catch (error) {
          if (isRequired || !(error instanceof NoValue)) throw error
          onFailure?.(pathOf(name))
        }
      }
      for (const name of flat.required) {
        if (Object.hasOwn(value, name) || flat.properties.has(name)) continue
        onUndescribed?.(pathOf(name))
        setOwn(value, name, flat.additional.length > 0 ? make(flat.additional, pathOf(name), below) : 'text')
      }
      const least = (flat.minProperties ?? 0) - Object.keys(value).length
      if (flat.additional.length > 0 && !flat.isClosed && (least > 0 || isChosen(pathOf('{}')))) {
        for (let index = 0; index < Math.max(1, least); index++) {
          setOwn(value, index === 0 ? otherName : `${otherName}${index}`, make(flat.additional, pathOf('{}'), below))
        }
      }
      return value
    }

    function makeList(flat, at, below) {
      const least = flat.minItems ?? 0
      const count = Math.max(least, Math.min(flat.maxItems ?? items, items))
      if (count > mostItems) throw new NoValue(`${at}: ${count} items`)
      try {
        const list = []
        for (let index = 0; index < count; index++) {
          const item = make(flat.items.length > 0 ? flat.items : [{}], `${at}[]`, below)
          list.push(flat.uniqueItems && index > 0 ? vary(item, flat.items, index) : item)
        }
        return list
      } catch (error) {
        if (least === 0 && error instanceof NoValue) return []
        throw error
      }
    }

    /** Another value, for a list whose items differ. */
    function vary(item, schemas, index) {
      const { values } = flatten(schemas, { at: '', choose: () => 0, resolve, is30, isOfResponse })
      if (values) return values[index % values.length]
      if (typeof item === 'string') return `${item}${index}`
      return typeof item === 'number' ? item + index : item
    }

    function makeScalar(flat, type, at) {
      if (flat.values !== undefined) {
        const fitting = flat.values.filter((value) => isOfType(value, type))
        return fitting[fitting.length === 1 ? 0 : choose(at, 'value', fitting.length)]
      }
      if (type === 'null') return null
      if (type === 'boolean') return choose(at, 'value', 2) === 0
      if (type === 'integer' || type === 'number') return makeNumber(flat, type, choose(at, 'value', 50))
      return makeText(flat, choose(at, 'value', 7), at)
    }
  }
}

/** Merges schemas with the parts of their `allOf`, and with one part of each `oneOf` and `anyOf`. */
function flatten(schemas, { at, choose, resolve, is30, isOfResponse }) {
  const flat = { properties: new Map(), required: new Set(), items: [], additional: [], patterns: [], seen: new Set() }
  let alternatives = 0
  for (const each of schemas) gather(each, 0)
  return flat

  function gather(written, depth) {
    const schema = resolve(written)
    if (schema === false) throw new NoValue(`${at}: nothing is allowed`)
    if (!isObject(schema)) return
    if (depth > deepest) throw new NoValue(`${at}: refers to itself`)
    flat.seen.add(schema)
    if (written !== schema && !is30) gatherOwn(written, depth)
    gatherOwn(schema, depth)
  }

  function gatherOwn(schema, depth) {
    gatherTypes(schema)
    gatherBounds(schema)
    if (typeof schema.format === 'string') flat.format ??= schema.format
    if (typeof schema.pattern === 'string') flat.patterns.push(schema.pattern)
    if (schema.example !== undefined) flat.example ??= schema.example
    for (const [name, each] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      flat.properties.set(name, [...(flat.properties.get(name) ?? []), each])
    }
    for (const name of listOf(schema.required)) if (typeof name === 'string') flat.required.add(name)
    if (isObject(schema.items)) flat.items.push(schema.items)
    if (schema.additionalProperties === false) flat.isClosed = true
    else if (isObject(schema.additionalProperties)) flat.additional.push(schema.additionalProperties)
    for (const part of listOf(schema.allOf)) gather(part, depth + 1)
    for (const parts of [listOf(schema.oneOf), listOf(schema.anyOf)]) {
      if (parts.length === 0) continue
      alternatives += 1
      gather(parts[parts.length === 1 ? 0 : choose(at, `alternative ${alternatives}`, parts.length)], depth + 1)
    }
  }

  function gatherTypes(schema) {
    const named = [schema.type].flat().filter((each) => typeof each === 'string')
    if (named.length > 0) {
      const all = is30 && schema.nullable === true ? [...new Set([...named, 'null'])] : named
      flat.types = flat.types === undefined ? all : intersect(flat.types, all)
    }
    const values = 'const' in schema ? [schema.const] : listOf(schema.enum)
    if (values.length === 0) return
    // Who writes that an enum is nullable means that null is one of its values.
    const isNullable = is30 && schema.nullable === true && isOfResponse
    const all = isNullable && !values.includes(null) ? [...values, null] : values
    const texts = new Set(all.map((each) => JSON.stringify(each)))
    flat.values = flat.values?.filter((each) => texts.has(JSON.stringify(each))) ?? all
  }

  function gatherBounds(schema) {
    const narrow = (name, choice) => {
      if (typeof schema[name] === 'number') flat[name] = choice(flat[name] ?? schema[name], schema[name])
    }
    for (const name of ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum']) narrow(name, Math.max)
    for (const name of ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum']) narrow(name, Math.min)
    // In OpenAPI 3.0 they make the other bound an exclusive one.
    if (schema.exclusiveMinimum === true) narrowTo('exclusiveMinimum', schema.minimum, Math.max)
    if (schema.exclusiveMaximum === true) narrowTo('exclusiveMaximum', schema.maximum, Math.min)
    if (schema.multipleOf > 0) flat.multipleOf ??= schema.multipleOf
    if (schema.uniqueItems === true) flat.uniqueItems = true

    function narrowTo(name, bound, choice) {
      if (typeof bound === 'number') flat[name] = choice(flat[name] ?? bound, bound)
    }
  }
}

function typesOf({ types, values, properties, required, additional, isClosed, items, patterns, format, ...flat }) {
  if (types !== undefined) return values ? types.filter((type) => values.some((each) => isOfType(each, type))) : types
  if (values !== undefined) return [...new Set(values.map(typeOf))]
  if (properties.size > 0 || required.size > 0 || additional.length > 0 || isClosed) return ['object']
  if (items.length > 0 || flat.minItems !== undefined) return ['array']
  if (/^(int\d+|float|double|number)$/.test(format)) return ['number']
  const isNumber = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some(
    (name) => flat[name] !== undefined,
  )
  return isNumber && patterns.length === 0 && format === undefined ? ['number'] : ['string']
}

function makeNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }, type, choice) {
  const isWhole = type === 'integer'
  const step = multipleOf ?? 1
  const lowest = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
  const highest = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  const isInside = (value) =>
    value >= (minimum ?? value) &&
    value <= (maximum ?? value) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum)
  const base = Number.isFinite(lowest)
    ? Math.max(lowest, highest >= 1 && lowest <= 1 ? 1 : lowest)
    : Math.min(1, highest)
  const start = Math.ceil(base / step) * step
  const candidates = [start + choice * step, start, start + step, Math.floor(highest / step) * step, start - step]
  const rounded = candidates.filter(Number.isFinite).map((each) => Number(each.toPrecision(12)))
  const found = rounded.find(isInside)
  if (found !== undefined) return found
  const middle = (lowest + highest) / 2
  return isWhole || !Number.isFinite(middle) ? start : middle
}

function makeText({ format, patterns, minLength = 0, maxLength = longestText, example }, choice, at) {
  const expressions = patterns.map((each) => toRegExp(each))
  const fits = (text) =>
    text.length >= minLength && text.length <= maxLength && expressions.every((each) => each.test(text))
  const known = samples[format]
  if (known) return [...known.slice(choice % known.length), ...known].find(fits) ?? known[0]
  if (minLength > longestText) throw new NoValue(`${at}: a text of ${minLength} letters`)
  const plain = ['text', 'other', 'word', 'name', 'value', 'part', 'entry'][choice]
  const text = plain.slice(0, maxLength).padEnd(minLength, 'x')
  const found = [text, ...(typeof example === 'string' ? [example] : []), ...usualTexts].find(fits)
  if (found !== undefined) return found
  for (let seed = 0; seed < 4; seed++) {
    const made = fakeText(
      { pattern: patterns[0], minLength, maxLength: Math.min(maxLength, minLength + 50) },
      hash(at) + seed,
    )
    if (typeof made === 'string' && fits(made)) return made
  }
  throw new NoValue(`${at}: no text matches ${patterns.join(' ')}`)
}

export function fakeText(schema, seed) {
  try {
    return generateSync({ type: 'string', ...schema }, { seed })
  } catch {
    return undefined
  }
}

function intersect(some, others) {
  const both = some.filter((each) => others.includes(each))
  // Each integer is a number.
  const isInteger = [some, others].every((each) => each.includes('integer') || each.includes('number'))
  return isInteger && !both.includes('number') && !both.includes('integer') ? [...both, 'integer'] : both
}

function typeOf(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function isOfType(value, type) {
  const own = typeOf(value)
  return own === type || (own === 'number' && type === 'integer' && Number.isInteger(value))
}

/** Sets a property of any name, also `__proto__`. */
function setOwn(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
