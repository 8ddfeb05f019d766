/** Writes pixels as a PNG with at most 256 colours, a quarter of the size of one with all (W3C PNG, third edition). */
import { crc32, deflateSync } from 'node:zlib'

const maxColours = 256
const leastDistance = 64

/** @param pixels red, green, blue and alpha in turn, as a canvas gives them. All are opaque */
export function toPalettePng(width, height, pixels) {
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
