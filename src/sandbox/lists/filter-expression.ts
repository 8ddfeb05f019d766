/**
 * Reads filters that are expressions: `name eq "x" and age gt 5` (SCIM, RFC 7644, section 3.4.2.2, and OData), `name = 'x'`,
 * `'5' in parents`, `name:x,age:5`, conditions such as `{ field, operator, value }`, and JSON such as `{"name":"x","age":{"$gt":5}}`.
 */
import type { Comparison, ConditionForm, ListFilter } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { tryJson } from '../../media/fields.js'
import type { Values } from '../../state/stored-record.js'

/** Whether a record passes a filter. */
export type Test = (values: Values) => boolean

/** Compares the values of a record as the filter of one property does. */
export type Compare = (values: Values, filter: Omit<ListFilter, 'in' | 'name'>, given: readonly unknown[]) => boolean

const operators: Record<string, Comparison> = {
  ...{
    '=': 'is',
    '==': 'is',
    ':': 'is',
    eq: 'is',
    is: 'is',
    in: 'is',
    inq: 'is',
    equals: 'is',
    equal: 'is',
    exact: 'is',
  },
  ...{ '>': 'above', gt: 'above', '>=': 'from', ge: 'from', gte: 'from', greaterthan: 'above', startat: 'from' },
  ...{ '<': 'below', lt: 'below', '<=': 'to', le: 'to', lte: 'to', lessthan: 'below', endat: 'to' },
  ...{
    '~': 'text',
    co: 'text',
    contains: 'text',
    containstoken: 'text',
    fuzzy: 'text',
    like: 'text',
    '^': 'start',
    $: 'end',
    sw: 'start',
    startswith: 'start',
    ew: 'end',
    endswith: 'end',
  },
}
const negations: Record<string, string> = {
  ...{ '!=': 'eq', '<>': 'eq', ne: 'eq', neq: 'eq', notequals: 'eq', notequal: 'eq', nin: 'in', notin: 'in' },
  ...{ '!~': 'contains', notcontains: 'contains', notcontainstoken: 'contains', nothasproperty: 'pr', isempty: 'pr' },
}

const token = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(&&|\|\||[<>!=]=|<>|[()=<>~:,;])|([^\s()"'=<>!~:,;&|]+))/y

/** Maximum number of parentheses and negations, and depth of groups. Larger expressions are not understood. */
const maxNested = 50

interface Token {
  /** A quoted text. */
  text?: string
  /** A word or an operator, in lower case as `low`. */
  word: string
  low: string
}

/** What an expression is about. */
interface Context {
  filter: ListFilter
  compare: Compare
}

/** @returns undefined if the text is no expression about known properties */
export function readExpression(filter: ListFilter, sent: unknown, compare: Compare): Test | undefined {
  const context = { filter, compare }
  const { conditions, name } = filter
  if (conditions) return readConditions(context, conditions, sent, conditions.any.includes(name), 0)
  if (isObject(sent)) return readObject(context, sent)
  const text = String(sent).trim()
  if (!text.startsWith('{')) return readText(context, text)
  const value = tryJson(text)
  return isObject(value) ? readObject(context, value) : undefined
}

/** The tokens of an expression, and how far they are read. */
interface Parser extends Context {
  tokens: readonly Token[]
  at: number
  nested: number
}

function readText(context: Context, text: string): Test | undefined {
  const tokens = tokensOf(text)
  if (!tokens || tokens.length < 2) return undefined
  const parser = { ...context, tokens, at: 0, nested: 0 }
  const test = readAny(parser)
  return parser.at === tokens.length ? test : undefined
}

function readAny(parser: Parser): Test | undefined {
  const tests = readSeveral(parser, readAll, ['or', '||'])
  return tests && ((values) => tests.some((each) => each(values)))
}

function readAll(parser: Parser): Test | undefined {
  const tests = readSeveral(parser, readOne, ['and', '&&', ';', ','])
  return tests && ((values) => tests.every((each) => each(values)))
}

function readSeveral(
  parser: Parser,
  read: (parser: Parser) => Test | undefined,
  between: readonly string[],
): Test[] | undefined {
  const tests: Test[] = []
  do {
    const one = read(parser)
    if (!one) return undefined
    tests.push(one)
  } while (between.includes(peek(parser)?.low ?? '') && parser.at++ >= 0)
  return tests
}

function peek({ tokens, at }: Parser, ahead = 0): Token | undefined {
  return tokens[at + ahead]
}

function readOne(parser: Parser): Test | undefined {
  const [first, second, third] = [peek(parser), peek(parser, 1), peek(parser, 2)]
  if (!first) return undefined
  if (first.low === '(' || (first.low === 'not' && first.text === undefined)) return readGroup(parser, first)
  // contains(name, 'x')
  if (second?.low === '(' && ownValue(operators, first.low)) {
    const [, , name, comma, value, end] = parser.tokens.slice(parser.at, parser.at + 6)
    parser.at += 6
    return comma?.low === ',' && end?.low === ')' ? testOf(parser, name, first.low, value) : undefined
  }
  const isPresence = second?.low === 'pr'
  parser.at += isPresence ? 2 : 3
  if (isPresence) return testOf(parser, first, 'pr', first)
  // 'x' in names
  const isMember = second?.low === 'in' && first.text !== undefined
  return isMember ? testOf(parser, third, 'in', first) : testOf(parser, first, second?.low, third)
}

/** Reads a part in parentheses, or a negation. */
function readGroup(parser: Parser, { low }: Token): Test | undefined {
  parser.at++
  if (++parser.nested > maxNested) return undefined
  const inner = low === '(' ? readAny(parser) : readOne(parser)
  if (low !== '(') return inner && ((values) => !inner(values))
  const isClosed = peek(parser)?.low === ')'
  parser.at++
  return isClosed ? inner : undefined
}

function testOf(context: Context, name: Token | undefined, operator = '', value: Token | undefined): Test | undefined {
  if (!name || !value || name.text !== undefined) return undefined
  return toTest(context, name.word, operator, [value.text ?? value.word])
}

function readConditions(
  context: Context,
  form: ConditionForm,
  value: unknown,
  isAny: boolean,
  depth: number,
): Test | undefined {
  if (depth > maxNested) return undefined
  const readInner = (each: unknown, isOne: boolean) => readConditions(context, form, each, isOne, depth + 1)
  if (Array.isArray(value)) {
    return combine(
      value.map((each) => readInner(each, false)),
      isAny,
    )
  }
  if (!isObject(value)) return undefined
  const has = (members: readonly string[]) =>
    members.map((name) => ownValue(value, name)).filter((each) => each != null)
  const [name] = has(form.properties)
  const operator = String(has(form.operators)[0] ?? 'is')
  const given = has(form.values)
  if (typeof name === 'string') {
    const [end] = has(form.ends)
    if (!/^between$/i.test(operator)) return toTest(context, name, operator, given.flat().map(withoutStars))
    const [from, to] = [given.flat().slice(0, 1), [end ?? given.flat()[1]]]
    return combine([toTest(context, name, 'gte', from), toTest(context, name, 'lte', to)], false)
  }
  // { operator: 'OR', value: [...] }
  const grouped = given.map((each) => readInner(each, /^(or|any)$/i.test(operator)))
  const some = has(form.any).map((each) => readInner(each, true))
  const every = has(form.all).map((each) => readInner(each, false))
  return combine([...grouped, ...some, ...every], false)
}

function readObject(context: Context, object: Record<string, unknown>, depth = 0): Test | undefined {
  if (depth > maxNested) return undefined
  const { besides = [] } = context.filter
  const entries = Object.entries(object).filter(([name]) => !besides.includes(name))
  const tests = entries.map(([name, value]): Test | undefined => {
    const group = /^[$+]?(and|or)$/.exec(name)?.[1]
    if (group && Array.isArray(value)) {
      const inner = value.map((each) => (isObject(each) ? readObject(context, each, depth + 1) : undefined))
      const known = inner.filter((each) => each !== undefined)
      if (known.length < inner.length) return undefined
      return (values) => (group === 'or' ? known.some((each) => each(values)) : known.every((each) => each(values)))
    }
    if (!isObject(value)) return toTest(context, name, 'in', [value].flat())
    const parts = Object.entries(value).map(([operator, given]) =>
      toTest(context, name, operator.replace(/^\W+/, ''), [given].flat()),
    )
    return parts.includes(undefined) ? undefined : (values) => parts.every((each) => each?.(values))
  })
  return tests.includes(undefined) ? undefined : (values) => tests.every((each) => each?.(values))
}

/** @returns undefined if the property or the operator is unknown */
function toTest(context: Context, name: string, operator: string, given: readonly unknown[]): Test | undefined {
  const { names = {}, open } = context.filter
  const known = ownValue(names, name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  const found = known ?? (open === undefined ? undefined : ([`${open}/${name}`, ['string']] as [string, JsonType[]]))
  if (!found) return undefined
  const [property, types] = found
  const low = operator.toLowerCase().replaceAll(/(?<=[a-z])[_ ](?=[a-z])/g, '')
  const negated = ownValue(negations, low)
  if (negated !== undefined) {
    const other = toTest(context, name, negated, given)
    return other && ((values) => !other(values))
  }
  if (low === 'pr' || low === 'hasproperty') {
    return (values) => (ownValue(values, property) ?? valueAt(values, property.split('/')) ?? null) !== null
  }
  const comparison = ownValue(operators, low)
  if (comparison === undefined) return undefined
  return (values) => context.compare(values, { properties: [property], compare: comparison, types }, given)
}

/** All tests, or one of them. Undefined if one is not understood, or if there is none. */
function combine(tests: readonly (Test | undefined)[], isAny: boolean): Test | undefined {
  const known = tests.filter((each) => each !== undefined)
  if (known.length < tests.length || known.length === 0) return undefined
  return (values) => (isAny ? known.some((each) => each(values)) : known.every((each) => each(values)))
}

/** `*part*` is a part of a text. */
const withoutStars = (value: unknown) => (typeof value === 'string' ? value.replace(/^\*|\*$/g, '') : value)

const requirement =
  /^\s*(?:(?:(!)\s*)?([^\s=!,()]+)|([^\s=!,()]+)\s*(==?|!=)(?:\s*([^\s=!,()]+))?|([^\s=!,()]+)\s+(in|notin)\s*\(([^()]*)\))\s*(?:,|$)/

/**
 * Reads a selector of labels or properties: `tier=gold,zone in (a, b),kind!=x,!old`.
 * @param within the property that has the labels. Empty for any property of the record: `metadata.name=x`
 * @returns undefined if it is none
 */
export function readSelector(text: string, [within]: readonly string[]): Test | undefined {
  const tests: Test[] = []
  for (let rest = text; rest.trim() !== ''; ) {
    const [all, not, known, name, sign, value = '', setName, operator, set = ''] = requirement.exec(rest) ?? []
    if (all === undefined) return undefined
    rest = rest.slice(all.length)
    const key = known ?? name ?? setName ?? ''
    const path = within === undefined ? key.split('.') : [...within.split('/'), key]
    const wanted = setName === undefined ? [value] : set.split(',').map((each) => each.trim())
    const isNot = not === '!' || sign === '!=' || operator === 'notin'
    tests.push((values) => {
      const own = valueAt(values, path) ?? undefined
      const isThere = own !== undefined && (known !== undefined || wanted.includes(String(own)))
      return isThere !== isNot
    })
  }
  return (values) => tests.every((each) => each(values))
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const next = new RegExp(token)
  while (next.lastIndex < text.length) {
    const [, quoted, sign, word] = next.exec(text) ?? []
    const found = sign ?? word
    if (quoted !== undefined) tokens.push({ text: quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1'), word: '', low: '' })
    else if (found !== undefined) tokens.push({ word: found, low: found.toLowerCase() })
    else return undefined
  }
  return tokens
}
