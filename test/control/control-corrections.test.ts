/** Corrections that the control API applies while the program runs. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServerOptions, startServer } from 'petstore-sandbox/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { writeFolder } from '../support/serving.js'
import { integer, list, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'

const order = object({
  id: { ...integer, readOnly: true },
  'item!': text,
  status: { ...oneOfTexts('open', 'paid', 'shipped'), readOnly: true },
  paid_at: { ...time, readOnly: true },
})

const orders = toDocument(
  {
    'GET /orders': { 200: list(named('Order')) },
    'POST /orders': { body: named('Order'), 201: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order') },
    'POST /orders/{orderId}/touch': { id: 'touchOrder', 200: named('Order') },
    'POST /orders/{orderId}/poke': { id: 'pokeOrder', 200: named('Order') },
  },
  { Order: order },
)

interface Fact {
  number: number
  operation?: string
  fact: string
  confirm: { target: string; update: object }
}

const pays = { effect: 'action', changes: { status: 'paid', paid_at: '$now' } }
const ships = { effect: 'action', needs: { status: 'paid' }, changes: { status: 'shipped' } }

async function open(options: ServerOptions = {}) {
  const folder = await writeFolder({ 'orders.json': orders })
  const server = await startServer({ port: 0, spec: join(folder, 'orders.json'), records: 0, ...options })
  onTestFinished(() => server.close())
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const said = await response.text()
    return { status: response.status, body: said === '' ? undefined : JSON.parse(said) }
  }
  const control = (method: string, path: string, body?: object) => send(method, `/_sandbox${path}`, body)
  return { server, send, control, file: join(folder, 'orders.json') }
}

it('applies a correction, and keeps the data, the clock, the requests and the history of records', async () => {
  const { server, send, control } = await open()
  await send('POST', '/orders', { item: 'Tea' })
  await server.sandbox.clock.advance(60_000)
  expect(await control('PUT', '/operations/touchOrder/correction', pays)).toEqual({ status: 204, body: undefined })
  expect((await send('POST', '/orders/1/touch')).body).toMatchObject({
    id: 1,
    item: 'Tea',
    status: 'paid',
    paid_at: expect.any(String),
  })
  expect((await server.sandbox.clock.now()) - Date.now()).toBeGreaterThan(50_000)
  const exchanges = (await control('GET', '/exchanges')).body as { id: number; changes?: { kind: string }[] }[]
  expect(exchanges.map(({ id, changes }) => [id, changes?.map(({ kind }) => kind)])).toEqual([
    [1, ['added']],
    [2, ['changed']],
  ])
  const [touch] = ((await control('GET', '/operations')).body as { id: string }[]).filter(
    ({ id }) => id === 'touchOrder',
  )
  expect(touch).toMatchObject({ does: ['status becomes "paid"', 'paid_at becomes the time'], sure: 'high' })
})

it('has all corrections in one overlay, with which a further start does the same', async () => {
  const { send, control, file } = await open()
  const printed = async (id: string) => (await control('GET', `/operations/${id}/overlay`)).body
  expect(await printed('touchOrder')).toMatchObject({ applied: false, corrected: {} })
  await control('PUT', '/operations/touchOrder/correction', pays)
  await control('PUT', '/operations/pokeOrder/correction', { ...ships, needs: { status: 'open' } })
  await control('PUT', '/operations/pokeOrder/correction', ships)
  const { overlay, applied, corrected } = await printed('pokeOrder')
  expect({ applied, corrected }).toEqual({ applied: true, corrected: ships })
  expect(await control('POST', '/operations/getOrders/overlay', { effect: 'example' })).toMatchObject({ status: 404 })
  const { actions } = parse(overlay) as { actions: { target: string; description: string; update: object }[] }
  expect(actions.map(({ update }) => update)).toEqual([{ 'x-sandbox-effect': pays }, { 'x-sandbox-effect': ships }])
  expect(actions[1]?.description).toMatch(/^Before: \w+, because /)
  await writeFile(`${file}.yaml`, overlay)
  const again = await open({ spec: file, overlays: [`${file}.yaml`] })
  for (const each of [send, again.send]) {
    await each('POST', '/orders', { item: 'Tea' })
    expect((await each('POST', '/orders/1/poke')).status).toBe(409)
    expect((await each('POST', '/orders/1/touch')).body).toMatchObject({ status: 'paid' })
    expect((await each('POST', '/orders/1/poke')).body).toMatchObject({ status: 'shipped' })
  }
  expect((await again.control('GET', '/operations/pokeOrder/overlay')).body).toMatchObject({
    applied: false,
    corrected: ships,
  })
})

it('confirms open facts, and takes that back, beside corrections', async () => {
  const { send, control } = await open()
  const { status: added } = await send('POST', '/orders', { item: 'Tea' })
  await send('POST', '/orders/1/touch')
  const facts = async () => (await control('GET', '/open-facts')).body as Fact[]
  const relied = async () =>
    ((await control('GET', '/exchanges')).body as { relied?: { number: number }[] }[]).at(-1)?.relied ?? []
  const [touch] = (await facts()).filter(({ operation }) => operation === 'touchOrder')
  expect([added, touch?.fact]).toEqual([201, 'POST /orders/{orderId}/touch changes nothing'])
  expect(await relied()).toEqual([{ number: touch?.number, about: [] }])
  const query = new URLSearchParams({ target: touch?.confirm.target ?? '', name: 'changes' })
  await control('PUT', '/operations/pokeOrder/correction', ships)
  expect((await control('PUT', `/open-facts/confirmation?${query}`, {})).status).toBe(204)
  expect((await facts()).map(({ operation }) => operation)).not.toContain('touchOrder')
  expect(await relied()).toEqual([])
  const { overlay, ...kept } = (await control('GET', '/corrections')).body as { overlay: string }
  expect(kept).toEqual({ file: 'corrections.yaml', confirmed: 1 })
  const { actions } = parse(overlay) as { actions: { update: object }[] }
  expect(actions.map(({ update }) => update)).toEqual([{ 'x-sandbox-effect': ships }, touch?.confirm.update])
  expect(await control('PUT', `/open-facts/confirmation?${query}`, {})).toMatchObject({ status: 404 })
  for (const _ of [1, 2]) expect((await control('DELETE', `/open-facts/confirmation?${query}`)).status).toBe(204)
  expect(await facts()).toContainEqual(expect.objectContaining({ fact: touch?.fact }))
})

it('keeps those who wait for an exchange, and those who listen', async () => {
  const { server, send, control } = await open()
  const heard: number[] = []
  server.sandbox.journal.subscribe(({ id }) => heard.push(id))
  const waiting = control('POST', '/exchanges/wait', { method: 'GET', timeoutMs: 60_000 })
  await send('POST', '/orders', { item: 'Tea' })
  await control('PUT', '/operations/touchOrder/correction', pays)
  await send('GET', '/orders/1')
  expect(await waiting).toMatchObject({ status: 200, body: { id: 2 } })
  expect(heard).toEqual([1, 2])
})

it('reads a scenario once', async () => {
  const folder = await writeFolder({
    'data.json': JSON.stringify({ orders: [{ id: 7, item: 'Tea', status: 'open' }] }),
  })
  const server = await open({ scenario: join(folder, 'data.json'), records: undefined as never })
  await writeFile(join(folder, 'data.json'), '{')
  expect((await server.control('PUT', '/operations/touchOrder/correction', pays)).status).toBe(204)
  expect((await server.send('GET', '/orders/7')).body).toMatchObject({ item: 'Tea' })
})

it('takes a correction back', async () => {
  const { send, control } = await open()
  await send('POST', '/orders', { item: 'Tea' })
  await control('PUT', '/operations/touchOrder/correction', pays)
  for (const _ of [1, 2]) expect((await control('DELETE', '/operations/touchOrder/correction')).status).toBe(204)
  expect((await send('POST', '/orders/1/touch')).body).not.toMatchObject({ status: 'paid' })
  expect((await control('GET', '/operations/touchOrder/overlay')).body).toMatchObject({ applied: false, corrected: {} })
})

it.each<[what: string, operation: string, effect: object, status: number, message: RegExp]>([
  ['an unknown property', 'touchOrder', { changes: { state: 'paid' } }, 400, /no property of the record "state"/],
  ['an unknown value', 'touchOrder', { changes: { status: 'sold' } }, 400, /the closest is/],
  ['an unknown word', 'touchOrder', { efect: 'read' }, 400, /efect/],
  ['an unknown operation', 'sell', {}, 404, /no operation "sell"/],
])('refuses %s, and serves the document as before', async (_, operation, effect, status, message) => {
  const { send, control, server } = await open()
  await control('PUT', '/operations/touchOrder/correction', pays)
  const { sandbox } = server
  const refused = await control('PUT', `/operations/${operation}/correction`, effect)
  expect(refused).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
  expect(server.sandbox).toBe(sandbox)
  await send('POST', '/orders', { item: 'Tea' })
  expect((await send('POST', '/orders/1/touch')).body).toMatchObject({ status: 'paid' })
})

it('applies corrections that come together one after the other', async () => {
  const { send, control } = await open()
  const all = await Promise.all([
    control('PUT', '/operations/touchOrder/correction', pays),
    control('PUT', '/operations/pokeOrder/correction', { changes: { status: 'sold' } }),
    control('PUT', '/operations/pokeOrder/correction', ships),
  ])
  expect(all.map(({ status }) => status)).toEqual([204, 400, 204])
  await send('POST', '/orders', { item: 'Tea' })
  await send('POST', '/orders/1/touch')
  expect((await send('POST', '/orders/1/poke')).body).toMatchObject({ status: 'shipped' })
})

it('applies none while a store keeps the worlds, which other programs may serve', async () => {
  const folder = await writeFolder({ 'empty.txt': '' })
  const { control } = await open({ store: `file:${join(folder, 'worlds')}` })
  const { status, body } = await control('PUT', '/operations/touchOrder/correction', pays)
  expect({ status, body }).toMatchObject({ status: 409, body: { message: expect.stringContaining('With a store') } })
  expect((await control('GET', '/operations/touchOrder/overlay')).body).not.toHaveProperty('applied')
})

it('does not read the document again, and stays when it is saved', async () => {
  const reloads = vi.fn()
  const { send, control, file, server } = await open({ watch: true, onReload: reloads })
  await writeFile(file, '{')
  await vi.waitFor(() => expect(reloads).toHaveBeenCalled(), { timeout: 240_000 })
  await control('PUT', '/operations/touchOrder/correction', pays)
  await send('POST', '/orders', { item: 'Tea' })
  expect((await send('POST', '/orders/1/touch')).body).toMatchObject({ status: 'paid' })
  await writeFile(file, orders.replaceAll('/orders', '/sales'))
  await vi.waitFor(() => expect(reloads).toHaveBeenCalledTimes(2), { timeout: 240_000 })
  expect(reloads.mock.calls[1]?.[0]).toMatchObject({ error: { message: expect.stringContaining('touch') } })
  await writeFile(file, `${orders} `)
  await vi.waitFor(() => expect(reloads).toHaveBeenCalledTimes(3), { timeout: 240_000 })
  expect((await send('POST', '/orders/1/touch')).body).toMatchObject({ status: 'paid' })
  expect(server.sandbox.journal.list().map(({ id }) => id)).toEqual([1, 2, 3])
})

it.each<[what: string, options: ServerOptions]>([
  ['the scenario', {}],
  ['generated records', { records: 3, seed: 4 }],
])('keeps %s of the bundled document', async (_, options) => {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  const read = async () =>
    (await fetch(`${server.url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })).text()
  const before = await read()
  const put = await fetch(`${server.url}/_sandbox/operations/getPet/correction`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"effect":"read"}',
  })
  expect(put.status).toBe(204)
  expect(await read()).toBe(before)
})
