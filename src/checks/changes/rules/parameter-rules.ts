/** What changes for the parameters and bodies that an operation takes. */
import { bareMediaType, isJson } from '../../../contract/http/media-types.js'
import { toRules } from '../../finding.js'
import type { Change, ChangeFamily, OperationPair, VersionOperation } from '../change.js'
import { differentStyles, type Parameter, pairParameters } from '../pair-parts.js'

const rules = toRules({
  'parameter-required': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.12',
    looksAt: 'a parameter that only the next version requires',
    help: 'Send it',
  },
  'parameter-removed': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.12',
    looksAt: 'a parameter that the next version does not have',
    help: 'Do not send it: the service ignores it, or refuses it',
  },
  'parameter-style-changed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.12',
    looksAt: 'a parameter that is written in another way in the next version',
    help: 'Write the value as the next version documents it',
  },
  'body-required': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.13',
    looksAt: 'a body that only the next version requires',
    help: 'Send a body',
  },
  'body-removed': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.13',
    looksAt: 'a body that the next version does not have',
    help: 'Do not send a body: the service ignores it, or refuses it',
  },
  'media-type-removed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.14',
    looksAt: 'a media type of the body that the next version does not accept',
    help: 'Send a media type that the next version accepts',
  },
  'parameter-deprecated': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.12',
    looksAt: 'a parameter that the next version deprecates',
    help: 'Stop sending it before it is gone',
  },
  'parameter-added': {
    severity: 'info',
    restsOn: 'OpenAPI 3.1, section 4.8.12',
    looksAt: 'an optional parameter that only the next version has',
    help: 'Nothing needs to be done',
  },
})

export const parameterFamily: ChangeFamily = { rules: Object.values(rules), find: requestChanges }

function* requestChanges(pair: OperationPair): Generator<Change> {
  yield* parameterChanges(pair)
  yield* bodyChanges(pair)
}

function* parameterChanges({ old, next, use }: OperationPair): Generator<Change> {
  const pairs = pairParameters(old, next)
  const isFree = (parameter: Parameter) => parameter.value.in !== 'path' && !isCredential(next, parameter)
  const isSentAt = (at: string) => (isSent(use?.parameter(at)) ? 'yours' : 'unused')
  /** Where another parameter of this name is that the other version has in no place. */
  const placeOf = (name: string, among: readonly Parameter[]) =>
    among.find(
      ({ value }) =>
        value.name.toLowerCase() === name.toLowerCase() && !pairs.flat().some((each) => each.value === value),
    )?.value.in
  for (const parameter of next.parameters.filter(isFree)) {
    const { path, value } = parameter
    const { in: where, name, required = false } = value
    const [before] = pairs.find(([, other]) => other === parameter) ?? []
    const at = `${where} ${name}`
    const place = { of: 'next', path } as const
    // Its removal says that it has moved.
    if (!before && placeOf(name, old.parameters) !== undefined) continue
    if (required && !before?.value.required) {
      const isMissing = before === undefined || use?.parameter(at).has('absent')
      yield {
        rule: rules['parameter-required'],
        at,
        message: before ? 'It is required now' : 'It is new, and required',
        impact: use?.isCalled && isMissing ? 'yours' : 'unused',
        place,
      }
    } else if (!before && !required)
      yield { rule: rules['parameter-added'], at, message: 'It is new, and optional', place }
  }
  for (const parameter of old.parameters.filter(isFree)) {
    if (pairs.some(([one]) => one === parameter)) continue
    const { path, value } = parameter
    const at = `${value.in} ${value.name}`
    const moved = placeOf(value.name, next.parameters)
    yield {
      rule: rules['parameter-removed'],
      at,
      message: moved ? `It is in the ${moved} now` : 'It is gone',
      ...(moved && { severity: 'error', help: `Send it in the ${moved}` }),
      impact: isSentAt(at),
      place: { of: 'old', path },
    }
  }
  for (const [one, other] of pairs) {
    const at = `${one.value.in} ${one.value.name}`
    if (other.value.deprecated && !one.value.deprecated) {
      const place = { of: 'next', path: other.path } as const
      yield { rule: rules['parameter-deprecated'], at, message: 'It is deprecated now', impact: isSentAt(at), place }
    }
    const [was, now] = differentStyles([old, one], [next, other]) ?? []
    if (was === undefined) continue
    // One item is the same text in the styles that only differ in what is between items.
    const isOneItem = use !== undefined && isList(one) && isList(other) && !use.parameter(at).has('several')
    yield {
      rule: rules['parameter-style-changed'],
      at,
      message: `It is written as ${now}, not as ${was}`,
      impact: isOneItem ? 'unused' : isSentAt(at),
      place: { of: 'next', path: other.path },
    }
  }
}

function isList({ value: { schema, style = 'form' } }: Parameter): boolean {
  const type = typeof schema === 'object' ? [schema.type].flat() : []
  return type.includes('array') && ['form', 'simple', 'spaceDelimited', 'pipeDelimited'].includes(style)
}

function* bodyChanges({ old, next, use }: OperationPair): Generator<Change> {
  const isUsed = isSent(use?.types)
  const at = 'body'
  if (!next.body) {
    const place = old.body && ({ of: 'old', path: old.body.path } as const)
    const impact = isUsed ? 'yours' : 'unused'
    if (place) yield { rule: rules['body-removed'], at, message: 'There is no body any more', impact, place }
    return
  }
  const place = { of: 'next', path: next.body.path } as const
  if (next.body.value.required && !old.body?.value.required) {
    const impact = use?.isCalled && (use.types.has('absent') || use.types.size === 0) ? 'yours' : 'unused'
    yield { rule: rules['body-required'], at, message: 'A body is required now', impact, place }
  }
  const accepted = Object.keys(next.body.value.content).map(withParameters)
  // Without any, the document does not say what is accepted.
  for (const name of accepted.length === 0 ? [] : Object.keys(old.body?.value.content ?? {}).map(withParameters)) {
    if (accepted.some((each) => includesType(each, name) && !hasOtherParameters(name, each))) continue
    const isLost = (type: string) => includesType(name, type) && !accepted.some((each) => includesType(each, type))
    const types = [...(use?.types ?? [])]
    const isOurs = name.includes('*') ? types.some(isLost) : types.includes(bareMediaType(name))
    yield {
      rule: rules['media-type-removed'],
      at,
      kind: name,
      message: `${name} is refused; accepted: ${accepted.join(', ')}`,
      impact: isOurs ? 'yours' : 'unused',
      place,
    }
  }
}

/** A media type with its parameters. JSON has none that say anything (RFC 8259, section 11). */
export function withParameters(written: string): string {
  const [, ...parameters] = written.toLowerCase().split(/\s*;\s*/)
  const bare = bareMediaType(written)
  return isJson(bare) ? bare : [bare, ...parameters.filter((each) => each !== '').sort()].join('; ')
}

/** Whether both have a parameter, such as `charset`, with different values. */
export function hasOtherParameters(one: string, other: string): boolean {
  const [, ...own] = one.replaceAll('"', '').split('; ')
  const known = new Map(
    other
      .replaceAll('"', '')
      .split('; ')
      .slice(1)
      .map((each) => each.split('=', 2) as [string, string]),
  )
  return own.some((each) => {
    const [name = '', value] = each.split('=', 2)
    return known.has(name) && known.get(name) !== value
  })
}

/** Whether a documented type, which may be a range, accepts another one. */
export function includesType(documentedWhole: string, typeWhole: string): boolean {
  const [documented, type] = [bareMediaType(documentedWhole), bareMediaType(typeWhole)]
  if (documented === type || documented === '*/*') return true
  if (documented.endsWith('/*')) return type.startsWith(documented.slice(0, -1))
  return documented.includes('*') && isJson(documented) && isJson(type)
}

/** Whether a parameter repeats what a security scheme says, as many documents write `Authorization` twice. */
function isCredential({ version: { contract } }: VersionOperation, { value }: Parameter): boolean {
  if (value.in === 'header' && /^(?:authorization|accept|content-type)$/i.test(value.name)) return true
  return Object.values(contract.schemes).some(
    (scheme) =>
      scheme.kind === 'apiKey' && scheme.in === value.in && scheme.name.toLowerCase() === value.name.toLowerCase(),
  )
}

function isSent(classes: ReadonlySet<string> | undefined): boolean {
  return [...(classes ?? [])].some((kind) => kind !== 'absent')
}
