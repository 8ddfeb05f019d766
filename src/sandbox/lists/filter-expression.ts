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
  ...{ '=': 'is', '==': 'is', ':': 'is', eq: 'is', is: 'is', in: 'is', equals: 'is', equal: 'is', exact: 'is' },
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

/** @returns undefined if the text is no expression about known properties */
export function readExpression(
  { name: own, names = {}, besides = [], conditions, open }: ListFilter,
  sent: unknown,
  compare: Compare,
): Test | undefined {
  if (conditions) return readConditions(conditions, sent, conditions.any.includes(own), 0)
  if (isObject(sent)) return readObject(sent)
  const text = String(sent).trim()
  if (text.startsWith('{')) {
    const value = tryJson(text)
    return isObject(value) ? readObject(value) : undefined
  }
  const tokens = tokensOf(text)
  if (!tokens || tokens.length < 2) return undefined
  let at = 0
  let nested = 0
  const test = readAny()
  return at === tokens.length ? test : undefined

  function readAny(): Test | undefined {
    const tests = readSeveral(readAll, ['or', '||'])
    return tests && ((values) => tests.some((each) => each(values)))
  }

  function readAll(): Test | undefined {
    const tests = readSeveral(readOne, ['and', '&&', ';', ','])
    return tests && ((values) => tests.every((each) => each(values)))
  }

  function readSeveral(read: () => Test | undefined, between: readonly string[]): Test[] | undefined {
    const tests: Test[] = []
    do {
      const one = read()
      if (!one) return undefined
      tests.push(one)
    } while (between.includes(peek()?.low ?? '') && at++ >= 0)
    return tests
  }

  function peek(ahead = 0): Token | undefined {
    return tokens?.[at + ahead]
  }

  function readOne(): Test | undefined {
    const [first, second, third] = [peek(), peek(1), peek(2)]
    if (!first) return undefined
    if (first.low === '(' || (first.low === 'not' && first.text === undefined)) {
      at++
      if (++nested > maxNested) return undefined
      const inner = first.low === '(' ? readAny() : readOne()
      if (first.low !== '(') return inner && ((values) => !inner(values))
      const isClosed = peek()?.low === ')'
      at++
      return isClosed ? inner : undefined
    }
    // contains(name, 'x')
    if (second?.low === '(' && ownValue(operators, first.low)) {
      const [, , name, comma, value, end] = tokens?.slice(at, at + 6) ?? []
      at += 6
      return comma?.low === ',' && end?.low === ')' ? testOf(name, first.low, value) : undefined
    }
    const isPresence = second?.low === 'pr'
    at += isPresence ? 2 : 3
    if (isPresence) return testOf(first, 'pr', first)
    // 'x' in names
    const isMember = second?.low === 'in' && first.text !== undefined
    return isMember ? testOf(third, 'in', first) : testOf(first, second?.low, third)
  }

  function testOf(name: Token | undefined, operator = '', value: Token | undefined): Test | undefined {
    if (!name || !value || name.text !== undefined) return undefined
    return toTest(name.word, operator, [value.text ?? value.word])
  }

  function readConditions(form: ConditionForm, value: unknown, isAny: boolean, depth: number): Test | undefined {
    if (depth > maxNested) return undefined
    if (Array.isArray(value)) {
      return combine(
        value.map((each) => readConditions(form, each, false, depth + 1)),
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
      if (!/^between$/i.test(operator)) return toTest(name, operator, given.flat().map(withoutStars))
      return combine(
        [toTest(name, 'gte', given.flat().slice(0, 1)), toTest(name, 'lte', [end ?? given.flat()[1]])],
        false,
      )
    }
    // { operator: 'OR', value: [...] }
    const grouped = given.map((each) => readConditions(form, each, /^(or|any)$/i.test(operator), depth + 1))
    const some = has(form.any).map((each) => readConditions(form, each, true, depth + 1))
    const every = has(form.all).map((each) => readConditions(form, each, false, depth + 1))
    return combine([...grouped, ...some, ...every], false)
  }

  function readObject(object: Record<string, unknown>, depth = 0): Test | undefined {
    if (depth > maxNested) return undefined
    const entries = Object.entries(object).filter(([name]) => !besides.includes(name))
    const tests = entries.map(([name, value]): Test | undefined => {
      const group = /^[$+]?(and|or)$/.exec(name)?.[1]
      if (group && Array.isArray(value)) {
        const inner = value.map((each) => (isObject(each) ? readObject(each, depth + 1) : undefined))
        const known = inner.filter((each) => each !== undefined)
        if (known.length < inner.length) return undefined
        return (values) => (group === 'or' ? known.some((each) => each(values)) : known.every((each) => each(values)))
      }
      if (!isObject(value)) return toTest(name, 'in', [value].flat())
      const parts = Object.entries(value).map(([operator, given]) =>
        toTest(name, operator.replace(/^\W+/, ''), [given].flat()),
      )
      return parts.includes(undefined) ? undefined : (values) => parts.every((each) => each?.(values))
    })
    return tests.includes(undefined) ? undefined : (values) => tests.every((each) => each?.(values))
  }

  function toTest(name: string, operator: string, given: readonly unknown[]): Test | undefined {
    const known = ownValue(names, name.toLowerCase().replace(/[^a-z0-9]/g, ''))
    const found = known ?? (open === undefined ? undefined : ([`${open}/${name}`, ['string']] as [string, JsonType[]]))
    if (!found) return undefined
    const [property, types] = found
    const low = operator.toLowerCase().replaceAll(/(?<=[a-z])[_ ](?=[a-z])/g, '')
    const negated = ownValue(negations, low)
    if (negated !== undefined) {
      const other = toTest(name, negated, given)
      return other && ((values) => !other(values))
    }
    if (low === 'pr' || low === 'hasproperty') {
      return (values) => (ownValue(values, property) ?? valueAt(values, property.split('/')) ?? null) !== null
    }
    const comparison = ownValue(operators, low)
    if (comparison === undefined) return undefined
    return (values) => compare(values, { properties: [property], compare: comparison, types }, given)
  }
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
