/** Applies what an operation does to the record of the user who is logged in: the subject of the token in the request. */
import type { RequestContract } from '../../contract/contract.js'
import type {
  AuthorUse,
  ChosenChange,
  CreateEffect,
  KeyedEffect,
  ServiceWritten,
  UserUse,
} from '../../contract/effects/effect.js'
import { valueAt } from '../../json/nested.js'
import { isObject } from '../../json/own-value.js'
import { passwordProperty } from '../../json/path-property.js'
import { type Key, passes, type StoredRecord } from '../../state/stored-record.js'
import { claimsOf } from '../credentials/open-keys.js'
import { type Outcome, Refusal } from '../outcome.js'
import { applyEffect } from './all-effects.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { withValues } from './fixed-answer.js'
import { isRemoved } from './sampled-record.js'

export function applyUser(use: UserUse, input: EffectInput): Outcome {
  const outcome = applyToUser(use, input)
  return use.values ? withValues(use.values, input, outcome) : outcome
}

function applyToUser({ names, effect, by }: UserUse, input: EffectInput): Outcome {
  const model = modelOf(input.contract, effect.collection)
  const { subject, filters, user, stored } = findUser(input, names, effect.collection, by)
  if (!user) return applyEffect(input)
  const key = user.values[model.key] as Key
  const path = { ...input.request.path, [effect.parameter]: key }
  const outcome = applyEffect({ ...input, effect, model, request: { ...input.request, path } })
  // A token stays valid when its user gets another name.
  const changed = stored.get(key)
  const isNamed = filters.some((filter) => changed && passes(changed, filter))
  if (changed && !isNamed && !isRemoved(changed))
    stored.replace(key, { ...changed.values, [effect.parameter]: subject })
  return outcome
}

/** The request of a creation or an action whose record says who made or did it: the user who is logged in. */
export function withAuthor({ names, collection, written }: AuthorUse, input: EffectInput): EffectInput {
  if (written.length === 0) return input
  const { user } = findUser(input, names, collection)
  if (!user) return input
  const userValue = (from: string | string[]) =>
    Array.isArray(from) ? Object.fromEntries(from.map((name) => [name, user.values[name] ?? null])) : user.values[from]
  const own = written.flatMap(({ property, from }): ServiceWritten[] => {
    const value = userValue(from)
    return value === undefined ? [] : [{ property, with: 'constant', value }]
  })
  if (input.effect.kind === 'action') {
    const key = user.values[modelOf(input.contract, collection).key]
    const changes = own.flatMap(({ property, value }, index): ChosenChange[] => {
      const change = { pointer: [property], value: { from: 'constant' as const, value } }
      const list = written[index]?.list
      const without = {
        ...change,
        value: { from: 'without' as const, value: { from: 'constant' as const, value: key } },
      }
      if (list === undefined) return [change]
      return list === 'without' ? [without] : [without, { ...change, pointer: [property, '-'] }]
    })
    return { ...input, effect: { ...input.effect, changes: [...(input.effect.changes ?? []), ...changes] } }
  }
  const effect = input.effect as CreateEffect
  return { ...input, effect: { ...effect, serviceWritten: [...effect.serviceWritten, ...own] } }
}

/** Refuses a record that another user made who registered, too. */
export function refuseOther({ names, collection, owned }: AuthorUse, input: EffectInput): Refusal | undefined {
  const { parameter = '', collection: own } = input.effect as KeyedEffect
  const { user, stored } = owned ? findUser(input, names, collection) : {}
  if (!owned || !user || !stored) return undefined
  const [property, from] = owned
  const records = storedOf(input.contract, input.world, input.server, own)
  const record = records.get(records.toKey(input.request.path[parameter]) as Key)
  const maker = record?.values[property]
  const [other] = maker === user.values[from] ? [] : stored.select([{ property: from, values: [maker] }])
  if (maker === undefined || !other || !Object.hasOwn(other.values, passwordProperty)) return undefined
  return new Refusal('conflict', `The record belongs to another user`, { status: 403 })
}

/** Finds the record of the user who is logged in, in the way of the first operation that does something with it. */
export function userFinder({
  operations,
}: RequestContract): ((input: EffectInput) => StoredRecord | undefined) | undefined {
  for (const { extras } of operations) {
    const use = extras?.kind === 'http' ? extras.extras : extras
    if (use?.kind === 'user' && use.by === undefined)
      return (input) => findUser(input, use.names, use.effect.collection).user
    if (use?.kind === 'author') return (input) => findUser(input, use.names, use.collection).user
  }
  return undefined
}

/** Refuses a login with another password than that of the user, or of nobody if somebody registered. */
export function refuseLogin(input: EffectInput): Refusal | undefined {
  const login = input.effect.kind === 'example' ? input.effect.login : undefined
  const { value } = input.request.body
  if (!login || !isObject(value)) return undefined
  const { stored, user } = findUser(input, login.names, login.collection, login.by)
  const isOpen = user
    ? [undefined, valueAt(value, login.secret.split('/'))].includes(user.values[passwordProperty])
    : !stored.select([]).some(({ values }) => Object.hasOwn(values, passwordProperty))
  return isOpen ? undefined : new Refusal('unauthorized', 'Wrong user name or password', { status: login.status })
}

/** The record of the user who is logged in, if there is one. */
function findUser(input: EffectInput, names: readonly string[], collection: string, by?: string) {
  const { value } = input.request.body
  const sent = by !== undefined && isObject(value) ? valueAt(value, by.split('/')) : undefined
  const subject = by === undefined ? subjectOf(input) : sent === undefined ? undefined : String(sent)
  const stored = storedOf(input.contract, input.world, input.server, collection)
  const filters =
    subject === undefined ? [] : names.map((property) => ({ property, values: [subject, Number(subject)] }))
  const [user] = filters.flatMap((filter) => stored.select([filter])).filter((each) => !isRemoved(each))
  return { subject, stored, filters, user }
}

/** Whom the token of a request is for. Undefined if it has none that says so. */
function subjectOf({ contract, sent }: EffectInput): string | undefined {
  const headers = Object.values(contract.schemes).map((each) => (each.kind === 'apiKey' ? each.name : 'authorization'))
  const subjects = headers.map((name) => claimsOf((sent.header(name) ?? '').replace(/^[\w-]+ +/, ''))?.sub)
  return subjects.find((each): each is string => typeof each === 'string')
}
