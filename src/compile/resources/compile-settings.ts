/** Compiles what an action sets: what the record has of the name of its verb. */
import type { Setting } from '../../contract/effect.js'
import { ownValue } from '../../json/own-value.js'
import type { OpenApiDocument } from '../document.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import type { Candidate } from './candidate.js'
import type { Group } from './compile-place.js'
import { nameOf } from './facts.js'
import { bareName, wordsOf } from './words.js'

/** Participles that no rule forms, and states that are named otherwise. */
const irregular: Record<string, string[]> = {
  pay: ['paid'],
  send: ['sent'],
  sell: ['sold'],
  hold: ['held', 'onhold'],
  leave: ['left'],
  begin: ['begun', 'started'],
  run: ['running', 'run'],
  start: ['started', 'running', 'active', 'inprogress'],
  stop: ['stopped', 'inactive'],
  submit: ['submitted', 'pending'],
  activate: ['activated', 'active'],
  deactivate: ['deactivated', 'inactive'],
  enable: ['enabled', 'active'],
  disable: ['disabled', 'inactive'],
  resume: ['resumed', 'running', 'active'],
  reopen: ['reopened', 'open', 'opened'],
  open: ['opened', 'open'],
  approve: ['approved', 'accepted'],
  complete: ['completed', 'complete', 'done'],
  finish: ['finished', 'completed', 'done'],
  ship: ['shipped'],
  win: ['won'],
  lose: ['lost'],
  withdraw: ['withdrawn'],
  freeze: ['frozen'],
}

/** Beginnings of verbs that take something back. */
const opposites = /^(un|de|dis)(?=[a-z]{3})/

/** The forms in which a record may say that something was done. @example 'cancel' has cancelled, canceled */
function participles(verb: string): string[] {
  const own = ownValue(irregular, verb) ?? []
  if (verb.endsWith('e')) return [...own, `${verb}d`]
  if (/[^aeiou]y$/.test(verb)) return [...own, verb.replace(/y$/, 'ied')]
  const last = verb.at(-1) ?? ''
  return [...own, `${verb}ed`, `${verb}${last}ed`]
}

export function compileSettings(
  document: OpenApiDocument,
  { node, operation }: Candidate,
  { record }: Group,
): Setting[] {
  const verbs = [nameOf(node), operation.value.operationId ?? ''].flatMap((name) => wordsOf(name)[0] ?? [])
  const properties = [...flattenSchema(document, record).properties]
  for (const verb of new Set(verbs)) {
    const set = properties.flatMap(([name, schema]) => settingOf(name, flattenSchema(document, schema), verb))
    if (set.length > 0) return set
  }
  return []
}

function settingOf(property: string, { types, keywords }: ReturnType<typeof flattenSchema>, verb: string): Setting[] {
  const name = bareName(property)
  const forms = participles(verb)
  const values: unknown[] = keywords.enum ?? []
  if (types.has('string') && values.length > 0) {
    const value = forms.flatMap((form) =>
      values.filter((each) => typeof each === 'string' && bareName(each) === form),
    )[0]
    return value === undefined ? [] : [{ property, with: 'constant', value }]
  }
  if (types.has('boolean')) {
    const isNamed = (each: string) => name === each || name === `is${each}`
    if (forms.some(isNamed)) return [{ property, with: 'constant', value: true }]
    const positive = verb.replace(opposites, '')
    const isTakenBack = positive !== verb || verb === 'disable'
    const base = verb === 'disable' ? 'enable' : positive
    return isTakenBack && participles(base).some(isNamed) ? [{ property, with: 'constant', value: false }] : []
  }
  const isTime =
    keywords.format === 'date-time' &&
    forms.some((form) => [`${form}at`, `${form}on`, `${form}date`, `${form}time`, form].includes(name))
  return isTime ? [{ property, with: 'now' }] : []
}
