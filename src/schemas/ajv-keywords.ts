/** Keywords of Ajv that compare values with every digit. */
import { _, type Ajv2020, type Code, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv/dist/2020.js'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import { toExactNumber } from '../json/exact-json.js'

export type KeywordCode = CodeKeywordDefinition['code']

type OwnMembers = Partial<Pick<CodeKeywordDefinition, 'error'>>

/** Replaces the code of a keyword. @param own other members that are replaced */
export function redefine(
  ajv: Ajv2020,
  keyword: string,
  own: OwnMembers,
  change: (code: KeywordCode) => KeywordCode,
): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  ajv.removeKeyword(keyword).addKeyword({ ...definition, ...own, code: change(definition.code) })
}

/** Compares by text, because Ajv calls `toString` and `valueOf` of compared objects, which callers may send as properties. */
export function compareByText(compare: KeywordCode): KeywordCode {
  return (context, rule) => {
    const allowed = context.keyword === 'enum' ? [context.schema].flat() : [context.schema]
    if (allowed.length <= maxCompared && !allowed.some((value) => typeof value === 'object' && value !== null))
      compare(context, rule)
    else context.pass(isOneOf(context, allowed.map(toComparableText), context.data))
  }
}

/** Whether a value has one of the texts, which takes as long for a thousand. */
function isOneOf(context: KeywordCxt, texts: readonly string[], data: Code): Code {
  const code = new _Code(`new Set(${JSON.stringify(texts)})`)
  const known = context.gen.scopeValue('schema', { ref: new Set(texts), code })
  return _`${known}.has(${scope(context, toComparableText)}(${data}))`
}

/** When a number is outside of a bound. */
const outside: Record<string, string> = { minimum: '<', exclusiveMinimum: '<=', maximum: '>', exclusiveMaximum: '>=' }

/** The value with every digit, which `toRounded` keeps. */
export const exactOf = ({ data, it }: KeywordCxt): Code =>
  _`(${it.parentData}?.[Symbol.for("exact")]?.[${it.parentDataProperty}] ?? ${data})`

/** Compares the value with every digit with what a schema says of numbers beyond doubles. */
export function compareExactly(context: KeywordCxt): void {
  const [data, exact] = [context.data, exactOf(context)]
  for (const [keyword, written] of Object.entries(context.schema as Record<string, string | string[]>)) {
    const limit = new _Code(`${written}n`)
    if (Array.isArray(written)) {
      const allowed = new _Code(JSON.stringify(written))
      const code = keyword === 'enum' ? _`{allowedValues: ${allowed}}` : _`{allowedValue: ${allowed}[0]}`
      Object.assign(context, { keyword, params: { code } })
      context.fail(_`!${isOneOf(context, written, exact)}`)
    } else {
      // As a double is written, if that is the same number: 1e+23.
      const short = String(Number(written))
      const shown = toExactNumber(short, Number(written)) === BigInt(written) ? short : written
      Object.assign(context, { keyword, params: { code: _`{limit: ${shown}, multipleOf: ${shown}}` } })
      const operator = outside[keyword]
      const isOutside = operator
        ? _`${exact} ${new _Code(operator)} ${limit}`
        : _`!Number.isInteger(${data}) || BigInt(${exact}) % ${limit} !== 0n`
      context.fail(_`typeof ${data} == "number" && (${isOutside})`)
    }
  }
}

/** The name of a function in compiled code, which contains a copy of it. */
export function scope({ gen }: KeywordCxt, ref: (...values: never[]) => unknown): Name {
  return gen.scopeValue('func', { ref, code: new _Code(`(${ref})`) })
}

/** The code of a module compares up to this many values one by one. */
export const maxCompared = 12

/**
 * Returns the same text for equal JSON values, and only for these. Validators contain the code of this function, so it must
 * not use anything outside of itself.
 * @example toComparableText({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function toComparableText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => toComparableText(item)).join()}]`
  const values = value as Record<string, unknown>
  const members = Object.keys(values).map((name) => `${JSON.stringify(name)}:${toComparableText(values[name])}`)
  return `{${members.sort().join()}}`
}
