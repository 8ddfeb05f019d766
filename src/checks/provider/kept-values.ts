/** Compares values that were sent with those that a provider shows. */
import type { Contract } from '../../contract/contract.js'
import type { CreateEffect, KeyedEffect, ListEffect } from '../../contract/effects/effect.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { isObject } from '../../json/own-value.js'
import { toRounded } from '../../json/rounding.js'
import { isSameValue, type RecordValues } from './provider-collection.js'

/**
 * Whether a record shows the sent value. A `writeOnly` value cannot be shown.
 * @param effect the effect of the operation that shows the record
 */
export function isKept(
  contract: Contract,
  effect: CreateEffect | KeyedEffect | ListEffect,
  name: string,
  sent: unknown,
  found: RecordValues,
): boolean {
  if (isSameByShape(contract, shapeOf(contract, effect.shape, name), sent, found[name])) return true
  const model = contract.collections.find((each) => each.name === effect.collection)
  // The service itself writes entity tags.
  if (model?.tag?.property === name) return true
  const changed = toRounded({ ...found, [name]: sent })
  return [effect.ensure, model?.ensure].some((ensure) => {
    const judge = ensure && contract.validators[ensure.validate]
    return judge?.(changed) === false && judge.errors?.some(({ instancePath }) => isAt(instancePath, name)) === true
  })
}

/** Whether records may have all of the values: a request may allow more than a record. */
export function isStorable(contract: Contract, collection: string, values: unknown): boolean {
  const { ensure } = contract.collections.find((each) => each.name === collection) ?? {}
  const judge = ensure && contract.validators[ensure.validate]
  if (!judge || !isObject(values) || judge(toRounded(values))) return true
  return !Object.keys(values).some((name) => judge.errors?.some(({ instancePath }) => isAt(instancePath, name)))
}

/** Whether every record has a value of a property. */
export function isRequired(contract: Contract, collection: string, name: string): boolean {
  const { ensure } = contract.collections.find((each) => each.name === collection) ?? {}
  const judge = ensure && contract.validators[ensure.validate]
  if (!judge || judge({})) return false
  const isMissing = judge.errors?.some(
    ({ keyword, params }) => keyword === 'required' && params.missingProperty === name,
  )
  return isMissing === true && !isStorable(contract, collection, { [name]: null })
}

/** Whether a JSON Pointer leads to a property or into it (RFC 6901). */
function isAt(pointer: string, name: string): boolean {
  return `${pointer}/`.startsWith(`${toJsonPointer([name])}/`)
}

/** Number of the shape of a property; 0 if it is unknown. */
export function shapeOf({ shapes }: Contract, shape: number, name: string): number {
  return shapes[shape]?.properties?.find(([known]) => known === name)?.[1] ?? 0
}

/**
 * Whether a value that was sent came back. A provider may add properties to an object, may leave out null values, and
 * does not return properties that only callers write.
 * @param shape number of the shape of the response
 */
function isSameByShape({ shapes }: Contract, shape: number, sent: unknown, found: unknown): boolean {
  return compare(sent, found, shape)

  function compare(one: unknown, other: unknown, number: number): boolean {
    if (isSameValue(one, other) || (one === null && other === undefined)) return true
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const { properties, open, items = 0 } = shapes[number] ?? {}
    if (Array.isArray(one) && Array.isArray(other)) {
      return one.length === other.length && one.every((item, index) => compare(item, other[index], items))
    }
    return Object.entries(one).every(([name, value]) => {
      const known = properties?.find(([each]) => each === name)
      if (properties && !open && !known) return true
      return compare(value, (other as RecordValues)[name], known?.[1] ?? 0)
    })
  }
}
