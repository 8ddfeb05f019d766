/** Small valid files of media types, for answers that are files. */
import { strToU8, zipSync } from 'fflate/browser'
import { decodeBytes } from '../../json/base64.js'

/**
 * A small file of a media type.
 * @param mediaType without parameters, in lower case
 * @returns undefined for an unknown media type
 */
export function sampleFile(mediaType: string): Uint8Array | undefined {
  const make = makers[aliases[mediaType] ?? mediaType]
  return make?.()
}

/** Whether bytes begin like the sample file of a media type. */
export function looksLike(bytes: Uint8Array, mediaType: string): boolean {
  const file = sampleFile(mediaType)
  return file === undefined || [0, 1, 2].every((index) => bytes[index] === file[index])
}

/** Other names of media types. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/x-icon': 'image/vnd.microsoft.icon',
  'image/x-ms-bmp': 'image/bmp',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/java-archive': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-tgz': 'application/gzip',
  'application/tar': 'application/x-tar',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'video/quicktime': 'video/mp4',
  'audio/mp4': 'video/mp4',
  'application/x-protobuf': 'application/protobuf',
  'application/vnd.google.protobuf': 'application/protobuf',
  'application/x-msgpack': 'application/msgpack',
  'application/vnd.msgpack': 'application/msgpack',
  'binary/octet-stream': 'application/octet-stream',
  'application/binary': 'application/octet-stream',
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Images of one pixel, files without entries or sound, empty messages. */
const makers: Readonly<Record<string, () => Uint8Array>> = {
  'image/png': () =>
    fromBase64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=='),
  'image/jpeg': () =>
    fromBase64(
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALQAf//Z',
    ),
  'image/gif': () => fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  'image/webp': () => fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  'image/bmp': () => fromBase64('Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAATCwAAEwsAAAAAAAAAAAAA////AA=='),
  'image/vnd.microsoft.icon': makeIcon,
  'application/pdf': makePdf,
  'application/zip': () => toZip({ 'sample.txt': 'sample\n' }),
  [word]: makeWord,
  [sheet]: makeSheet,
  'application/gzip': () => fromBase64('H4sIAAAAAAACAwMAAAAAAAAAAAA='),
  'application/x-tar': () => new Uint8Array(1024),
  'audio/wav': makeWave,
  'audio/mpeg': makeMp3,
  'video/mp4': makeMp4,
  'application/msgpack': () => Uint8Array.of(0x80),
  'application/cbor': () => Uint8Array.of(0xa0),
  'application/protobuf': () => new Uint8Array(),
  'application/octet-stream': () => Uint8Array.from({ length: 16 }, (_, index) => index),
}

function fromBase64(text: string): Uint8Array {
  return decodeBytes(text) ?? new Uint8Array()
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Numbers in little-endian order. */
function little(value: number, size: 2 | 4): string {
  return String.fromCharCode(...Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 255))
}

function big(value: number): string {
  return [...little(value, 4)].reverse().join('')
}

/** An icon with a PNG in it. */
function makeIcon(): Uint8Array {
  const png = String.fromCharCode(...(sampleFile('image/png') ?? []))
  return toBytes(
    `\0\0${little(1, 2)}${little(1, 2)}\u0001\u0001\0\0${little(1, 2)}${little(32, 2)}${little(png.length, 4)}${little(22, 4)}${png}`,
  )
}

/** One empty page (ISO 32000-1, annex H). */
function makePdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << >> >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return toBytes(text)
}

/** Not compressed, and always the same: the date is the earliest that archives can have. */
function toZip(files: Record<string, string>): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)])
  return zipSync(Object.fromEntries(entries), { level: 0, mtime: new Date(1980, 0, 1) })
}

const openXml = 'http://schemas.openxmlformats.org'
const relationship = `${openXml}/officeDocument/2006/relationships`

function toRelationships(type: string, target: string): string {
  return `<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="r1" Type="${relationship}/${type}" Target="${target}"/></Relationships>`
}

/**
 * A package of Office Open XML (ECMA-376, part 2).
 * @param types the media types of parts that are not only related to others
 * @param parts the first one is the document
 */
function makeOffice(types: Record<string, string>, parts: Record<string, string>): Uint8Array {
  const overrides = Object.entries(types).map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
  const files = {
    '[Content_Types].xml': `<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': toRelationships('officeDocument', Object.keys(parts)[0] ?? ''),
    ...parts,
  }
  const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  return toZip(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, prolog + text])))
}

function makeWord(): Uint8Array {
  const body = `<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body><w:p/></w:body></w:document>`
  return makeOffice({ 'word/document.xml': `${word}.main+xml` }, { 'word/document.xml': body })
}

function makeSheet(): Uint8Array {
  const main = `${openXml}/spreadsheetml/2006/main`
  const types = {
    'xl/workbook.xml': `${sheet}.main+xml`,
    'xl/worksheets/sheet1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
  }
  return makeOffice(types, {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationship}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': toRelationships('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData/></worksheet>`,
  })
}

/** A single silent sample: PCM, mono, 8 kHz, 8 bits. */
function makeWave(): Uint8Array {
  const format = `fmt ${little(16, 4)}${little(1, 2)}${little(1, 2)}${little(8000, 4)}${little(8000, 4)}${little(1, 2)}${little(8, 2)}`
  const chunks = `WAVE${format}data${little(2, 4)}\u0080\u0080`
  return toBytes(`RIFF${little(chunks.length, 4)}${chunks}`)
}

/** Two frames of silence: MPEG 1, layer III, 32 kbit/s, 44.1 kHz, mono. Players look for the second one. */
function makeMp3(): Uint8Array {
  const frame = Uint8Array.from({ length: 104 }, (_, index) => [0xff, 0xfb, 0x10, 0xc4][index] ?? 0)
  return Uint8Array.of(...frame, ...frame)
}

/** The header of a film without tracks (ISO 14496-12, section 8.2). */
function makeMp4(): Uint8Array {
  const box = (type: string, content: string) => big(content.length + 8) + type + content
  const unity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(big).join('')
  const header = `${[0, 0, 0, 1000, 0, 0x10000].map(big).join('')}\u0001\0\0\0${big(0)}${big(0)}${unity}${big(0).repeat(6)}${big(1)}`
  return toBytes(`${box('ftyp', `isom${big(512)}isommp41`)}${box('moov', box('mvhd', header))}`)
}
