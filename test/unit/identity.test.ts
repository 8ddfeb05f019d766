import { describe, expect, it } from 'vitest'
import { createIdentity, type Scope, withinOf } from '../../src/state/identity.js'
import type { Key, Values } from '../../src/state/stored-record.js'

const scope: Scope = [{ property: '{tenantId}', isOpen: true }, { property: 'authorId' }]
const identify = (values: Values, key: string, parts: Scope) => createIdentity(key, parts).of(values)
const keepOwners = (values: Values, before: Values, parts: Scope) => createIdentity('id', parts).keep(values, before)
/** The identity that is looked for first. */
function toIdentity(key: Key, within: readonly unknown[]): Key | undefined {
  const sought: Key[] = []
  const find = (identity: Key) => void sought.push(identity)
  createIdentity('id', []).find(key, within, { find, at: () => undefined, positionsWith: () => [] })
  return sought[0]
}

describe('the identity of a record', () => {
  it('is that of the key and the owners, and of nothing else', () => {
    const record = { id: 1, '{tenantId}': 'a', authorId: 2, title: 'x' }
    const same = identify(record, 'id', scope)
    expect(identify({ ...record, title: 'y' }, 'id', scope)).toBe(same)
    for (const other of [{ id: 2 }, { '{tenantId}': 'b' }, { authorId: 3 }, { '{tenantId}': undefined }]) {
      expect(identify({ ...record, ...other }, 'id', scope)).not.toBe(same)
    }
  })

  it('is the same for the values of a path, which are texts', () => {
    const record = { id: 1, '{tenantId}': 7, authorId: 2n ** 60n }
    expect(toIdentity('1', ['7', String(2n ** 60n)])).toBe(identify(record, 'id', scope))
  })

  it.each([
    [
      ['a', 'b'],
      ['a,b', ''],
    ],
    [
      ['', 'a'],
      ['a', ''],
    ],
    [
      ['"', ''],
      ['', '"'],
    ],
    [
      ['null', 'a'],
      [undefined, 'a'],
    ],
  ])('of %j is another one than of %j', (one, other) => {
    expect(toIdentity(1, one)).not.toBe(toIdentity(1, other))
  })

  it('does not depend on inherited names', () => {
    const odd: Scope = [{ property: 'constructor' }]
    expect(withinOf({ id: 1 }, odd)).toEqual([undefined])
    expect(identify({ id: 1 }, 'id', odd)).toBe(toIdentity(1, [undefined]))
  })
})

describe('changed values', () => {
  it('belong to what the record belonged to before', () => {
    const before = { id: 1, authorId: 2, title: 'x' }
    expect(keepOwners({ title: 'y', authorId: 9, '{tenantId}': 'b' }, before, scope)).toEqual({
      title: 'y',
      authorId: 2,
    })
    expect(keepOwners({ title: 'y' }, { ...before, '{tenantId}': 'a' }, scope)).toEqual({
      title: 'y',
      authorId: 2,
      '{tenantId}': 'a',
    })
  })
})
