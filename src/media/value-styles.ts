/** Decodes the styles in which OpenAPI writes arrays and objects (OpenAPI 3.2, section 4.12.2.3; RFC 6570). */
import { separators } from '../contract/item-types.js'
import type { TextType, ValueStyle } from '../contract/request-model.js'
import {
  collectFields,
  decodeField,
  decodeFields,
  type Field,
  type FieldContext,
  type Pair,
  parsePairs,
  tryJson,
} from './fields.js'

/** A value, or undefined if there is none. */
export type StyledValue = { value: unknown; isRepeated?: boolean } | undefined

/** A value with the names of the pairs that it was read from. */
export type NamedValue = (NonNullable<StyledValue> & { names: readonly string[] }) | undefined

/** Represents text without the syntax of its style. No schema with a type accepts it, and messages quote it. */
export function wrongSyntax(why: string): symbol {
  return Symbol(why)
}

/** Decodes a value from the pairs of a query or a form. @param taken names that belong to other values */
export function decodeFromPairs(
  pairs: readonly Pair[],
  name: string,
  style: ValueStyle,
  context: FieldContext,
  taken: ReadonlySet<string> = new Set(),
): NamedValue {
  const type = typeOf(style, context)
  const own = pairs.filter((pair) => pair.name === name)
  if (style.name === 'deepObject') {
    const below = pairs.filter((pair) => pair.name === name || pair.name.startsWith(`${name}[`))
    const field = collectFields(below, () => false).get(name)
    return field && { value: decodeField(field, style.type, context), names: below.map((pair) => pair.name) }
  }
  if (own.length === 0) return style.explode ? decodeProperties(pairs, type, context, taken) : undefined
  if (style.name === 'json') return single(own, parseJson)
  if (style.name === 'urlencoded') {
    return single(own, (text) =>
      decodeFields(
        collectFields(parsePairs(text), () => false),
        type,
        context,
      ),
    )
  }
  if (style.explode) {
    const value = decodeField({ leaves: own.map((pair) => pair.value) }, style.type, context)
    return { value, names: [name] }
  }
  return single(own, (text, raw) => {
    const separator = separators[style.name] ?? ','
    // Only a comma that is not percent-encoded separates items, if there is one.
    const isRaw = separator === ',' && raw.includes(',')
    const items = isRaw ? raw.split(',').map((item) => parsePairs(`=${item}`)[0]?.value ?? '') : text.split(separator)
    return decodeItems(items as string[], text, style, context)
  })
}

function single(own: readonly Pair[], decode: (text: string, raw: string) => unknown): NamedValue {
  const [{ name = '', value = '', raw = '' } = {}] = own
  const decoded = typeof value === 'string' ? decode(value, raw) : 'json' in value ? value.json : undefined
  return { value: decoded, isRepeated: own.length > 1, names: [name] }
}

/** The properties of an object are separate pairs: `R=100&G=200` */
function decodeProperties(
  pairs: readonly Pair[],
  type: TextType,
  context: FieldContext,
  taken: ReadonlySet<string>,
): NamedValue {
  if (!type.types.includes('object')) return undefined
  const { properties = [], others } = type
  const known = new Set(properties.map(([name]) => name))
  const isAny = others !== undefined || known.size === 0
  const isOwn = ({ name }: Pair) => known.has(name) || (!taken.has(name) && (isAny || known.has(rootOf(name))))
  const own = pairs.filter(isOwn)
  if (own.length === 0) return undefined
  const fields = collectFields(own, (name) => known.has(name))
  return { value: decodeFields(fields, type, context), names: own.map(({ name }) => name) }
}

/** `a` of `a[b]` */
function rootOf(name: string): string {
  const end = name.indexOf('[')
  return end === -1 ? name : name.slice(0, end)
}

/** Decodes the text of a path parameter, a header or a cookie. */
export function decodeFromText(text: string, name: string, style: ValueStyle, context: FieldContext): unknown {
  if (style.name === 'json') return parseJson(text)
  const items = (rest: string, separator: string) => decodeItems(rest.split(separator), rest, style, context)
  if (style.name === 'label') {
    if (!text.startsWith('.')) return wrongSyntax(`${JSON.stringify(text)}, which does not begin with a dot`)
    return items(text.slice(1), style.explode ? '.' : ',')
  }
  if (style.name !== 'matrix') return items(text, separators[style.name] ?? ',')
  if (!text.startsWith(';')) return wrongSyntax(`${JSON.stringify(text)}, which does not begin with a semicolon`)
  const parts = text.slice(1).split(';')
  const prefix = `${name}=`
  const isNamed = parts.every((part) => part === name || part.startsWith(prefix))
  if (!isNamed && style.explode) return decodeItems(parts, text, style, context)
  if (!isNamed) return wrongSyntax(`${JSON.stringify(text)}, which does not begin with ";${prefix}"`)
  const values = parts.map((part) => part.slice(prefix.length))
  return style.explode ? decodeField({ leaves: values }, style.type, context) : items(values.join(','), ',')
}

/** Decodes the texts between separators. @param whole the whole text */
function decodeItems(items: readonly string[], whole: string, style: ValueStyle, context: FieldContext): unknown {
  const type = typeOf(style, context)
  const { types } = type
  const { at = '' } = context
  const readings: (() => unknown)[] = []
  const fields = types.includes('object') ? toFields(items, style) : undefined
  if (fields) readings.push(() => decodeFields(fields, type, context))
  if (types.includes('array') && items.length > 1) {
    readings.push(() =>
      items.map((item, index) => decodeField({ leaves: [item] }, type.items, context, `${at}/${index}`)),
    )
  }
  return decodeField({ leaves: [whole] }, style.type, context, at, readings)
}

/** `R=100,G=200` exploded, else `R,100,G,200`. Undefined for anything else. */
function toFields(items: readonly string[], { explode }: ValueStyle): Map<string, Field> | undefined {
  const fields = new Map<string, Field>()
  if (!explode && items.length % 2 === 1) return undefined
  for (let index = 0; index < items.length; index += explode ? 1 : 2) {
    const item = items[index] ?? ''
    const end = item.indexOf('=')
    if (!explode) fields.set(item, { leaves: [items[index + 1] ?? ''] })
    else if (end === -1) return undefined
    else fields.set(item.slice(0, end), { leaves: [item.slice(end + 1)] })
  }
  return fields
}

function typeOf({ type }: ValueStyle, { textTypes }: FieldContext): TextType {
  return textTypes[type] ?? { types: [] }
}

function parseJson(text: string): unknown {
  const value = tryJson(text)
  return value === undefined ? wrongSyntax('text that is not JSON') : value
}
