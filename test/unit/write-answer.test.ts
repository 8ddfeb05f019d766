// The answers of effects: what they changed is data, and nothing is changed if an answer cannot be written.
import { describe, expect, it } from 'vitest'
import { removedMark } from '../../src/json/path-property.js'
import { jsonCodec } from '../../src/media/json-codec.js'
import { applyHttp } from '../../src/sandbox/http/apply-http.js'
import { writeAnswer } from '../../src/sandbox/responses/write-answer.js'
import { create } from '../../src/sandbox/writes/create.js'
import type { EffectInput } from '../../src/sandbox/writes/effect-input.js'
import { remove } from '../../src/sandbox/writes/remove.js'
import { replace, update } from '../../src/sandbox/writes/update.js'
import { RunningClock } from '../../src/state/clock.js'
import { captureWorld, restoreCapture } from '../../src/state/snapshots/capture-world.js'
import type { Values } from '../../src/state/stored-record.js'
import { createWorldFactory } from '../../src/state/stored-world.js'
import type { WorldId } from '../../src/state/world-id.js'

const model = { name: 'xs', key: 'id', keyKind: 'integer' as const, servers: ['one'], record: 0 }
const unwritable = new Proxy([], {
  get() {
    throw new RangeError('Invalid string length')
  },
})

interface Given {
  shapes?: object[]
  records?: Values[]
  value?: object
}

type Kind = 'create' | 'replace' | 'update' | 'remove'

function inputOf(kind: Kind, { shapes = unwritable, records = [{ id: 1, a: 1 }], value = { a: 2 } }: Given = {}) {
  const contract = {
    collections: [model],
    operations: [],
    shapes,
    validators: [],
  } as unknown as EffectInput['contract']
  const world = createWorldFactory(contract, { xs: records }, new RunningClock(() => 0)).create('key' as WorldId)
  const effect = {
    kind,
    status: 200,
    mediaType: 'application/json',
    collection: 'xs',
    shape: 0,
    ...(kind !== 'create' && { parameter: 'id' }),
    serviceWritten: [],
  }
  const body = { codec: jsonCodec, value, violations: [], notes: [] }
  const request = { path: { id: 1 }, query: {}, body, notes: [] }
  const operation = { id: kind, method: 'PUT', path: '/xs/{id}', servers: ['one'], effect }
  return {
    contract,
    operation,
    world,
    effect,
    model,
    server: 'one',
    query: '',
    request,
    context: { now: 0, seed: 1 },
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

describe('an answer', () => {
  const effects = { create, replace, update, remove }
  const change = { kind: 'record', collection: 'xs', server: 'one', position: 0, nextKey: 2 }

  it.each([
    ['create', { position: 1, before: undefined, after: { a: 2, id: 2 } }],
    ['replace', { before: { id: 1, a: 1 }, after: { id: 1, a: 2 } }],
    ['update', { before: { id: 1, a: 1 }, after: { id: 1, a: 2 } }],
    ['remove', { before: { id: 1, a: 1 }, after: undefined }],
  ] as const)('has what %s changed', (kind, changed) => {
    const input = inputOf(kind, { shapes: [{}] }) as EffectInput
    const answer = writeAnswer(input, () => effects[kind](input as never))
    expect(answer).toMatchObject({ status: 200, changes: [{ ...change, ...changed }] })
  })

  it('has the record that is created in place of a removed one, not the newest', () => {
    const records = [{ id: 1, [removedMark]: true }, { id: 2 }]
    const input = inputOf('create', { shapes: [{}], records, value: { id: 1, a: 3 } }) as EffectInput
    const answer = writeAnswer(input, () => create(input as never))
    const changed = { position: 0, after: { id: 1, a: 3 }, nextKey: 3 }
    expect(answer).toMatchObject({ body: '{"id":1,"a":3}', changes: [{ ...change, ...changed }] })
  })
})

it('keeps an answer for a repeated request, and not in a snapshot that was taken before', () => {
  const input = inputOf('create', { shapes: [{}] }) as EffectInput
  const { world } = input
  world.extras = { files: new Map([['one /file', null]]) }
  const captured = captureWorld(world)
  const sent = { path: '/xs', header: () => 'key' }
  const context = { ...input.context, progress: { notes: [] } }
  const use = { kind: 'http', idempotencyKey: 'idempotency-key' } as const
  const run = () => applyHttp(use, { ...input, sent, context } as never)
  expect(run()).toMatchObject({ body: '{"id":2,"a":2}' })
  expect(run()).toMatchObject({ body: '{"id":2,"a":2}', cause: { kind: 'repetition', key: 'key' } })
  restoreCapture(world, captured)
  expect(run()).toMatchObject({ body: '{"id":2,"a":2}', cause: undefined })
})
