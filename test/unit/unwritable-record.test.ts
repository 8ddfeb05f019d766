// An effect whose answer cannot be written, e.g. because its text is too long, changes nothing.
import { describe, expect, it } from 'vitest'
import { jsonCodec } from '../../src/media/json-codec.js'
import { create } from '../../src/sandbox/effects/create.js'
import type { EffectInput } from '../../src/sandbox/effects/effect.js'
import { remove } from '../../src/sandbox/effects/remove.js'
import { replace } from '../../src/sandbox/effects/replace.js'
import { update } from '../../src/sandbox/effects/update.js'
import { writeAnswer } from '../../src/sandbox/responses/write-answer.js'
import { RunningClock } from '../../src/state/clock.js'
import { createWorldFactory } from '../../src/state/stored-world.js'
import { undoTo } from '../../src/state/world-content.js'

const model = { name: 'xs', key: 'id', keyKind: 'integer' as const, servers: ['one'], record: 0 }
const unwritable = new Proxy([], {
  get() {
    throw new RangeError('Invalid string length')
  },
})

function inputOf(kind: 'create' | 'replace' | 'update' | 'remove') {
  const contract = { collections: [model], shapes: unwritable, validators: [] } as unknown as EffectInput['contract']
  const world = createWorldFactory(contract, { xs: [{ id: 1, a: 1 }] }, new RunningClock(() => 0)).create('key')
  const effect = {
    kind,
    status: 200,
    mediaType: 'application/json',
    collection: 'xs',
    shape: 0,
    ...(kind !== 'create' && { parameter: 'id' }),
    fills: [],
  }
  const body = { codec: jsonCodec, value: { a: 2 }, violations: [], notes: [] }
  const request = { path: { id: 1 }, query: {}, body, notes: [] }
  return {
    contract,
    world,
    effect,
    model,
    server: 'one',
    query: '',
    request,
    context: { now: 0, seed: 1 },
    undoTo,
  } as unknown
}

describe('an answer that cannot be written', () => {
  it.each([
    ['create', create],
    ['replace', replace],
    ['update', update],
    ['remove', remove],
  ] as const)('leaves no change of %s', (kind, apply) => {
    const input = inputOf(kind) as EffectInput
    expect(() => writeAnswer(input, () => apply(input as never))).toThrow('Invalid string length')
    const records = input.world.collection('xs', 'one').select([])
    expect(records.map(({ values }) => values)).toEqual([{ id: 1, a: 1 }])
  })
})
