/** Rules about which parameters and bodies an operation takes. */
import { bareMediaType, isJson } from '../../../compile/operations/media-types.js'
import type { ChangeRule, OperationPair, VersionOperation } from '../change-rule.js'
import { differentStyles, pairParameters } from '../pair-values.js'

type Parameter = VersionOperation['parameters'][number]

export const parameterRequired: ChangeRule = {
  id: 'parameter-required',
  severity: 'error',
  looksAt: 'a parameter that only the next version requires',
  help: 'Send it',
  *find({ old, next, use }) {
    if (!old || !next) return
    const pairs = [...pairParameters(old, next)]
    for (const parameter of next.parameters) {
      const { in: place, name, required = false } = parameter.value
      const [before] = pairs.find(([, other]) => other === parameter) ?? []
      if (!required || place === 'path' || before?.value.required || isCredential(next, parameter)) continue
      const at = `${place} ${name}`
      const classes = use?.parameter(at)
      const isMissing = before === undefined || classes?.has('absent')
      yield {
        at,
        message: before ? 'It is required now' : 'It is new, and required',
        impact: use?.isCalled && isMissing ? 'yours' : 'unused',
        place: { of: 'next', path: parameter.path },
      }
    }
  },
}

export const parameterRemoved: ChangeRule = {
  id: 'parameter-removed',
  severity: 'warning',
  looksAt: 'a parameter that the next version does not have',
  help: 'Do not send it: the service ignores it, or refuses it',
  *find({ old, next, use }) {
    if (!old || !next) return
    const kept = new Set([...pairParameters(old, next)].map(([one]) => one))
    for (const parameter of old.parameters) {
      const { in: place, name } = parameter.value
      if (place === 'path' || kept.has(parameter) || isCredential(next, parameter)) continue
      const at = `${place} ${name}`
      yield {
        at,
        message: 'It is gone',
        impact: isSent(use?.parameter(at)) ? 'yours' : 'unused',
        place: { of: 'old', path: parameter.path },
      }
    }
  },
}

export const parameterAdded: ChangeRule = {
  id: 'parameter-added',
  severity: 'info',
  looksAt: 'an optional parameter that only the next version has',
  help: 'Nothing needs to be done',
  *find({ old, next }) {
    if (!old || !next) return
    const known = new Set([...pairParameters(old, next)].map(([, other]) => other))
    for (const parameter of next.parameters) {
      const { in: place, name, required } = parameter.value
      if (known.has(parameter) || required || place === 'path' || isCredential(next, parameter)) continue
      yield { at: `${place} ${name}`, message: 'It is new, and optional', place: { of: 'next', path: parameter.path } }
    }
  },
}

export const parameterStyleChanged: ChangeRule = {
  id: 'parameter-style-changed',
  severity: 'error',
  looksAt: 'a parameter that is written in another way in the next version',
  help: 'Write the value as the next version documents it',
  *find({ old, next, use }) {
    if (!old || !next) return
    for (const [one, other] of pairParameters(old, next)) {
      const at = `${one.value.in} ${one.value.name}`
      const [was, now] = differentStyles([old, one], [next, other]) ?? []
      if (was === undefined) continue
      yield {
        at,
        message: `It is written as ${now}, not as ${was}`,
        impact: isSent(use?.parameter(at)) ? 'yours' : 'unused',
        place: { of: 'next', path: other.path },
      }
    }
  },
}

export const bodyRequired: ChangeRule = {
  id: 'body-required',
  severity: 'error',
  looksAt: 'a body that only the next version requires',
  help: 'Send a body',
  *find({ old, next, use }) {
    if (!old || !next?.body?.value.required || old.body?.value.required) return
    yield {
      at: 'body',
      message: 'A body is required now',
      impact: use?.isCalled && (use.types.has('absent') || use.types.size === 0) ? 'yours' : 'unused',
      place: { of: 'next', path: next.body.path },
    }
  },
}

export const bodyRemoved: ChangeRule = {
  id: 'body-removed',
  severity: 'warning',
  looksAt: 'a body that the next version does not have',
  help: 'Do not send a body: the service ignores it, or refuses it',
  *find({ old, next, use }) {
    if (!old?.body || !next || next.body) return
    yield {
      at: 'body',
      message: 'There is no body any more',
      impact: isSent(use?.types) ? 'yours' : 'unused',
      place: { of: 'old', path: old.body.path },
    }
  },
}

export const mediaTypeRemoved: ChangeRule = {
  id: 'media-type-removed',
  severity: 'error',
  looksAt: 'a media type of the body that the next version does not accept',
  help: 'Send a media type that the next version accepts',
  *find({ old, next, use }: OperationPair) {
    if (!old?.body || !next?.body) return
    const accepted = Object.keys(next.body.value.content)
    // Without any, the document does not say what is accepted.
    if (accepted.length === 0) return
    for (const type of Object.keys(old.body.value.content)) {
      const name = bareMediaType(type)
      if (accepted.some((each) => includesType(bareMediaType(each), name))) continue
      const isUsed = use?.types.has(name) || (name.includes('*') && isSent(use?.types))
      yield {
        at: 'body',
        kind: name,
        message: `${name} is refused; accepted: ${accepted.join(', ')}`,
        impact: isUsed ? 'yours' : 'unused',
        place: { of: 'next', path: next.body.path },
      }
    }
  },
}

/** Whether a documented type, which may be a range, accepts another one. */
export function includesType(documented: string, type: string): boolean {
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

export const parameterRules: readonly ChangeRule[] = [
  parameterRequired,
  parameterRemoved,
  parameterStyleChanged,
  bodyRequired,
  bodyRemoved,
  mediaTypeRemoved,
  parameterAdded,
]
