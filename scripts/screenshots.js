/**
 * Takes pictures of the inspector: `node scripts/screenshots.js <folder> [spec]`, each view at two widths, light and dark.
 * `--docs` takes those of the documentation. They are the same each time, as the clock, the seed and the requests are fixed.
 * Needs a build.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright'
import { startServer } from '../dist/node.js'
import { importSource } from './import-source.js'

const [given, spec] = process.argv.slice(2)
if (!given) throw new Error('Usage: node scripts/screenshots.js <folder> [spec], or --docs')
/** Of a picture for the documentation, and the least distance of two of them. */
const maxColours = 256
const leastDistance = 64
const isForDocs = given === '--docs'
const folder = isForDocs ? new URL('../docs/images/', import.meta.url).pathname : given
await mkdir(folder, { recursive: true })
const { findBrowser } = await importSource('test/support/find-browser.ts')
const server = await startServer({
  port: spec ? 0 : 4010,
  at: '2026-11-23T09:30:00Z',
  now: () => 0,
  ...(spec && { spec }),
})
const { launchOptions } = await findBrowser()
const browser = await chromium.launch(launchOptions)
try {
  await sendRequests()
  if (isForDocs) await takeAll(1280, 800, 'light')
  else
    for (const width of [1280, 360])
      for (const colorScheme of ['light', 'dark']) await takeAll(width, width === 360 ? 740 : 800, colorScheme)
} finally {
  await browser.close()
  await server.close()
}

/** One of each kind: answered, refused by each step, struck by a fault. */
async function sendRequests() {
  const control = (method, path, body) =>
    fetch(`${server.url}/_sandbox${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.text().then((text) => (text ? JSON.parse(text) : undefined)))
  if (spec) {
    for (const { id } of await control('GET', '/operations')) {
      const { form } = await control('GET', `/operations/${encodeURIComponent(id)}`)
      const path = `/operations/${encodeURIComponent(id)}/request`
      const { method, target, headers, body } = await control('POST', path, form.example)
      await fetch(server.url + target, { method, headers: headers.map(({ name, value }) => [name, value]), body })
    }
    return
  }
  const send = (method, path, body, headers = { Authorization: 'Bearer sandbox' }) =>
    fetch(server.url + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body }),
    }).then(
      (response) => response.arrayBuffer(),
      () => {},
    )
  await control('POST', '/keys', { name: 'checkout-test' })
  await send('GET', '/v1/pets?status=available&limit=5')
  await send('POST', '/v1/pets', '{"name":"Rex","categoryId":3}')
  await send('GET', '/v1/pets/12')
  await send('GET', '/v1/pets', undefined, {})
  await send('POST', '/v1/pets', '{"name":"Ida","categoryId":2}', { Authorization: 'Bearer sandbox-checkout-test' })
  await send('GET', '/v1/pets?limit=500')
  await send('GET', '/v1/cats')
  await send('GET', '/v1/pets/4000')
  await send('POST', '/messages', '{"message":"Hello"}')
  await control('POST', '/faults', { operation: 'createPet', key: 'sandbox', times: 1, status: 503 })
  await send('POST', '/v1/pets', '{"name":"Echo","categoryId":1,"status":"pending"}')
  await control('POST', '/faults', { operation: 'listPets', times: 2, delayMs: 2000 })
  await send('POST', '/v1/pets', '{"name":"","status":"lost","categoryId":"5"}')
  await control('PUT', '/snapshots/before%20checkout', { world: 'sandbox-checkout-test' })
}

async function takeAll(width, height, colorScheme) {
  const reduced = { reducedMotion: 'reduce', deviceScaleFactor: 1 }
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, ...reduced })
  await page.clock.setFixedTime('2026-11-23T09:30:00Z')
  const { exchanges, collections, operations } = await page.goto(`${server.url}/_sandbox/`).then(() =>
    page.evaluate(async () => {
      const get = async (path) => (await fetch(`/_sandbox${path}`)).json()
      const [exchanges, collections, operations] = await Promise.all(
        ['/exchanges', '/collections', '/operations'].map(get),
      )
      return { exchanges, collections, operations }
    }),
  )
  const refused = exchanges.findLast(({ refused }) => refused) ?? exchanges.at(-1)
  const [{ name = '', key = '', scope = [] } = {}] = collections
  const { records = [] } = await page.evaluate(
    async (path) => (await fetch(path)).json(),
    `/_sandbox/worlds/sandbox/collections/${encodeURIComponent(name)}/records?limit=4`,
  )
  const { values = {} } = records.at(-1) ?? {}
  const identity = [key, ...scope].map((property) => encodeURIComponent(String(values[property]))).join('/')
  const tried = operations.find(({ effect }) => effect === 'create') ?? operations[0]
  const all = {
    requests: '#/requests',
    why: `#/requests/${refused.id}`,
    answered: `#/requests/${exchanges[1].id}`,
    collections: '#/data',
    table: `#/data/${encodeURIComponent(name)}`,
    record: `#/data/${encodeURIComponent(name)}/record/${identity}`,
    add: `#/data/${encodeURIComponent(name)}/new`,
    statuses: '#/operations',
    operation: `#/operations/${encodeURIComponent(tried.id)}`,
    worlds: '#/worlds',
    clock: '#/clock',
    faults: '#/faults',
  }
  const inDocs = { why: all.why, data: all.record, clock: all.clock, operation: all.operation }
  const views = isForDocs ? inDocs : all
  for (const [name, hash] of Object.entries(views)) {
    await page.goto(`${server.url}/_sandbox/${hash}`)
    await page.waitForLoadState('load')
    await page.getByText('live', { exact: true }).waitFor({ state: 'attached' })
    await page.waitForFunction(() => !document.querySelector('main .empty h2')?.textContent.includes('…'))
    await page.waitForTimeout(250)
    if (isForDocs) await takeForDocs(page, name)
    else await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
  }
  await page.close()
}

/** In few colours, so that the repository stays small. */
async function takeForDocs(page, name) {
  if (name === 'clock') await page.getByLabel('Day to travel to').press('End')
  const picture = (await page.screenshot()).toString('base64')
  const pixels = await page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return [...new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)]
  }, `data:image/png;base64,${picture}`)
  const { width, height } = page.viewportSize()
  const bytes = new Uint8Array(Uint32Array.from(pixels).buffer)
  await writeFile(join(folder, `inspector-${name}.png`), toPalettePng(width, height, bytes))
}

/**
 * Writes pixels as a PNG with at most 256 colours, a quarter of the size of one with all (W3C PNG, third edition).
 * @param pixels red, green, blue and alpha in turn, as a canvas gives them. All are opaque
 */
function toPalettePng(width, height, pixels) {
  const counts = new Map()
  const colours = new Uint32Array(width * height)
  for (let at = 0; at < colours.length; at++) {
    const [red, green, blue] = pixels.subarray(at * 4, at * 4 + 3)
    colours[at] = (red << 16) | (green << 8) | blue
    counts.set(colours[at], (counts.get(colours[at]) ?? 0) + 1)
  }
  const palette = choosePalette([...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour))
  const indexes = new Map([...counts.keys()].map((colour) => [colour, closest(palette, colour)]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexes.get(colours[y * width + x])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each pixel, which is an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('PLTE', Buffer.from(palette.flatMap(toChannels))),
    toChunk('IDAT', deflateSync(rows, { level: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The most frequent colours, without those that are nearly the same as a more frequent one. */
function choosePalette(colours) {
  const palette = []
  for (const colour of colours) {
    if (palette.length === maxColours) break
    if (palette.every((each) => distance(each, colour) > leastDistance)) palette.push(colour)
  }
  return palette
}

/** The square of the distance in red, green and blue. */
function distance(one, other) {
  const [red, green, blue] = toChannels(other)
  return toChannels(one).reduce((sum, value, at) => sum + (value - [red, green, blue][at]) ** 2, 0)
}

function toChannels(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function closest(palette, colour) {
  const distances = palette.map((each) => distance(each, colour))
  return distances.indexOf(Math.min(...distances))
}

function toChunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}
