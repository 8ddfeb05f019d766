/** Compiles the properties that an action sets or the answer to a removal shows: those with a form of the verb. */
import type { FieldChange } from '../../../contract/effects/effect.js'
import { ownValue } from '../../../json/own-value.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { nameOf } from '../facts/facts.js'
import { bareName, wordsOf } from '../paths/words.js'
import type { Group } from './compile-scope.js'
import { timeFormOf } from './time-form.js'

/** Irregular participles, and states with other names. */
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

/** The opposites of verbs without a negating prefix such as that of `unlock`. */
const takenBack: Record<string, string[]> = {
  enable: ['disable'],
  disable: ['enable'],
  activate: ['deactivate', 'disable', 'suspend', 'archive'],
  open: ['close'],
  reopen: ['close', 'archive', 'resolve', 'complete'],
  close: ['open'],
  start: ['stop', 'pause'],
  resume: ['pause', 'suspend', 'stop'],
  stop: ['start', 'run'],
  show: ['hide'],
  allow: ['block'],
  release: ['hold', 'lock'],
  ...Object.fromEntries(
    ['restore', 'recover', 'reinstate', 'untrash', 'undelete'].map((verb) => [
      verb,
      ['delete', 'archive', 'trash', 'remove', 'suspend', 'cancel', 'deactivate'],
    ]),
  ),
}
/** Prefixes of verbs that undo something. */
const opposites = /^(un|de|dis)(?=[a-z]{3})/
/** Values of the normal state of a record. */
const usualStates = ['active', 'open', 'enabled', 'available', 'normal', 'live', 'visible']

/** The participles of a verb. @example 'cancel' has cancelled, canceled */
function participles(verb: string): string[] {
  const own = ownValue(irregular, verb) ?? []
  if (verb.endsWith('e')) return [...own, `${verb}d`]
  if (/[^aeiou]y$/.test(verb)) return [...own, verb.replace(/y$/, 'ied')]
  const last = verb.at(-1) ?? ''
  return [...own, `${verb}ed`, `${verb}${last}ed`]
}

export function compileFieldChanges(
  document: OpenApiDocument,
  { node, operation }: Candidate,
  { record }: Group,
): FieldChange[] {
  const isUndone = operation.method === 'DELETE'
  const verbs = [nameOf(node), operation.value.operationId ?? ''].flatMap((name) => wordsOf(name)[0] ?? [])
  for (const verb of new Set(verbs)) {
    const set = changesIn(document, record, toForms(verb, isUndone))
    if (set.length > 0) return set
  }
  return []
}

/** @param record the schema of the record in the answer to a removal */
export function compileRemovalChanges(document: OpenApiDocument, record: Located<Schema>): FieldChange[] {
  return changesIn(document, record, { done: ['deleted', 'removed'], undone: [] })
}

function changesIn(document: OpenApiDocument, record: Located<Schema>, forms: Forms): FieldChange[] {
  const properties = [...flattenSchema(document, record).properties]
  return properties.flatMap(([name, schema]) => changeOf(name, flattenSchema(document, schema), forms))
}

/** Words for a state in which something was done, and in which it was undone. */
interface Forms {
  done: string[]
  undone: string[]
}

/** @param isUndone whether the request undoes the verb in its path: `DELETE /books/{id}/archive` */
function toForms(verb: string, isUndone: boolean): Forms {
  if (isUndone) return { done: [], undone: participles(verb) }
  const positive = verb.replace(opposites, '')
  const others = [...(ownValue(takenBack, verb) ?? []), ...(positive === verb ? [] : [positive])]
  return { done: participles(verb), undone: others.flatMap(participles) }
}

function changeOf(property: string, flat: FlatSchema, { done, undone }: Forms): FieldChange[] {
  const { types, keywords } = flat
  const name = bareName(property)
  const values: unknown[] = keywords.enum ?? []
  if (types.has('string') && values.length > 0) {
    const firstOf = (forms: readonly string[]) =>
      forms.flatMap((form) => values.filter((each) => typeof each === 'string' && bareName(each) === form))[0]
    const value = firstOf(done) ?? (firstOf(undone) === undefined ? undefined : firstOf(usualStates))
    return value === undefined ? [] : [{ property, with: 'constant', value }]
  }
  if (types.has('boolean')) {
    const isNamed = (form: string) => [form, `is${form}`, `${form}status`].includes(name)
    if (done.some(isNamed)) return [{ property, with: 'constant', value: true }]
    return undone.some(isNamed) ? [{ property, with: 'constant', value: false }] : []
  }
  const time = timeFormOf(property, flat, true)
  if (!time) return []
  const isTime = (form: string) => [`${form}at`, `${form}on`, `${form}date`, `${form}time`, form].includes(name)
  if (done.some(isTime)) return [{ property, with: 'now', ...time }]
  return types.has('null') && undone.some(isTime) ? [{ property, with: 'constant', value: null }] : []
}
