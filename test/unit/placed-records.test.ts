import { describe, expect, it } from 'vitest'
import { PlacedRecords, type PlacedValue } from '../../src/sandbox/writes/records.js'
import { createBase } from '../../src/state/base-records.js'
import { createIdentity, type Scope } from '../../src/state/identity.js'
import { StoredCollection } from '../../src/state/stored-collection.js'
import type { Values } from '../../src/state/stored-record.js'

const closed: Scope = [{ property: '{authorId}' }]
const open: Scope = [{ property: '{tenantId}', isOpen: true }]

function create(scope: Scope | undefined, scenario: readonly Values[]): StoredCollection {
  let lastStateId = 0
  const newStateId = () => ++lastStateId
  const identity = scope && createIdentity('id', scope)
  const base = createBase(scenario, 'id', newStateId(), identity)
  const named = { name: 'records', server: 'production' }
  return new StoredCollection({ ...named, base, key: 'id', scope, identity, keyTypes: ['integer'], newStateId }, [])
}

function below(stored: StoredCollection, ...values: PlacedValue[]): PlacedRecords {
  return new PlacedRecords(stored, values)
}

const ada: PlacedValue = { property: '{authorId}', value: 1 }
const bo: PlacedValue = { property: '{authorId}', value: 2 }
const idsOf = (records: PlacedRecords) => records.select([]).map(({ values }) => values['id'])

describe('the records below an owner', () => {
  const scenario = [
    { id: 1, title: 'x', '{authorId}': 1 },
    { id: 2, title: 'x', '{authorId}': 2 },
    { id: 3, title: 'y', '{authorId}': 1 },
  ]

  it('are those that belong to it, newest first', () => {
    const records = below(create(closed, scenario), ada)
    expect(idsOf(records)).toEqual([3, 1])
    expect(records.size).toBe(2)
    expect(records.count([{ property: 'title', values: ['x'] }])).toBe(1)
    expect(records.select([], 1).map(({ values }) => values['id'])).toEqual([3])
    expect(records.get(1)?.values['title']).toBe('x')
    expect(records.get(2)).toBeUndefined()
  })

  it('can be changed and removed, and no others', () => {
    const stored = create(closed, scenario)
    const records = below(stored, ada)
    expect(records.replace(2, { title: 'z' })).toBeUndefined()
    expect(records.remove(2)).toBeUndefined()
    expect(records.replace(1, { title: 'z' })?.values).toEqual({ id: 1, title: 'z', '{authorId}': 1 })
    expect(records.remove(3)?.values['id']).toBe(3)
    expect(idsOf(records)).toEqual([1])
    expect(idsOf(below(stored, bo))).toEqual([2])
  })

  it('may have the key of a record below another owner', () => {
    const stored = create(closed, scenario)
    const records = below(stored, bo)
    expect(records.add({ id: 1, title: 'new' }).values).toEqual({ id: 1, title: 'new', '{authorId}': 2 })
    expect(records.get(1)?.values['title']).toBe('new')
    expect(below(stored, ada).get(1)?.values['title']).toBe('x')
    expect(records.remove(1)?.values['title']).toBe('new')
    expect(below(stored, ada).get(1)?.values['title']).toBe('x')
  })

  it('have another state id than those below another owner, and after a change', () => {
    const stored = create(closed, scenario)
    const before = below(stored, ada).stateId
    expect(below(stored, bo).stateId).not.toBe(before)
    expect(below(stored, ada).stateId).toBe(before)
    below(stored, ada).add({ id: 9 })
    expect(below(stored, ada).stateId).not.toBe(before)
  })
})

describe('the records below a value that no collection has', () => {
  const [seven, eight]: PlacedValue[] = [
    { property: '{tenantId}', value: '7' },
    { property: '{tenantId}', value: '8' },
  ]
  if (!seven || !eight) throw new Error('There are two values')
  const scenario = [{ id: 1 }, { id: 2, '{tenantId}': '7' }]

  it('are also those that name no value', () => {
    const stored = create(open, scenario)
    expect(idsOf(below(stored, seven))).toEqual([2, 1])
    expect(idsOf(below(stored, eight))).toEqual([1])
    expect(below(stored, eight).get(1)?.values).toEqual({ id: 1 })
    expect(below(stored, eight).get(2)).toBeUndefined()
    expect(below(stored, seven).select([], 1).length).toBe(1)
  })

  it('name the value if they are added, and none after a change if they had none', () => {
    const stored = create(open, scenario)
    expect(below(stored, eight).add({ id: 3 }).values).toEqual({ id: 3, '{tenantId}': '8' })
    expect(below(stored, eight).replace(1, { title: 'z' })?.values).toEqual({ id: 1, title: 'z' })
    expect(idsOf(below(stored, seven))).toEqual([2, 1])
  })

  it('are gone below every value if one without a value is removed', () => {
    const stored = create(open, scenario)
    expect(below(stored, eight).remove(1)?.values).toEqual({ id: 1 })
    expect(idsOf(below(stored, seven))).toEqual([2])
  })
})

it('of a relation that is no scope are found by it, and lose nothing by a change', () => {
  const stored = create(undefined, [{ id: 1, '{authorId}': 1 }, { id: 2 }])
  expect(idsOf(below(stored, ada))).toEqual([1])
  expect(below(stored, ada).replace(1, { title: 'z' })?.values).toEqual({ id: 1, title: 'z', '{authorId}': 1 })
  expect(below(stored, bo).get(1)).toBeUndefined()
  expect(below(stored, ada).get(2)).toBeUndefined()
})
