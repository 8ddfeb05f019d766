/** Finds the record that an operation created, changed or removed. */
import type { Operation } from '../../contract/contract.js'
import { isObject } from '../../json/own-value.js'
import type { Exchange } from '../../state/journal.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { parseBody, pathTextsOf, valueAt } from './evaluate.js'

/** What the answer shows of the record, else the record itself. @param changed the one that the effect changed */
export function findRecord(operation: Operation, exchange: Exchange, changed: Values | undefined): Values | undefined {
  const { effect } = operation
  if (!('collection' in effect)) return undefined
  const { kind } = effect
  const isShown = kind !== 'list' && kind !== 'remove' && !('answer' in effect && effect.answer)
  const { body } = exchange.response
  const shown = isShown && typeof body === 'string' ? valueAt(parseBody(body), effect.around?.pointer ?? []) : undefined
  if (!isObject(shown)) return kind === 'list' ? undefined : changed
  return kind === 'create' ? shown : { ...changed, ...shown }
}

/** The record that a path names. Without it, its key. */
export function findByPath(
  { path, effect }: Operation,
  { request, server }: { request: { path: string }; server: string | undefined },
  world: StoredWorld,
): Values | undefined {
  if (!('collection' in effect) || !('parameter' in effect) || effect.parameter === undefined) return undefined
  const collection = world.collection(effect.collection, server)
  const texts = pathTextsOf(path, request.path)
  const text = texts[effect.parameter]
  const { key } = collection.context
  const typed = text === undefined ? undefined : collection.toKey(text)
  if (effect.parameter !== '' && typed === undefined) return undefined
  const owners = (effect.place?.values ?? []).flatMap(({ parameter, property }) => {
    const value = texts[parameter]
    return value === undefined ? [] : [{ property, values: [value, Number(value)] }]
  })
  const byKey = typed === undefined ? [] : [{ property: key, values: [typed] }]
  const found = collection.select([...byKey, ...owners], 1)[0]?.values
  return found ?? (typed === undefined ? undefined : { [key]: typed })
}
