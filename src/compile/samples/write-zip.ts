/** Writes ZIP archives whose entries are not compressed (PKWARE APPNOTE 6.3, section 4.3). */

export interface ArchiveEntry {
  name: string
  text: string
  /** Its media type, if a list in the archive names it. */
  type?: string
}

const encoder = new TextEncoder()

export function writeZip(entries: readonly ArchiveEntry[]): Uint8Array {
  const files: number[] = []
  const directory: number[] = []
  for (const { name, text } of entries) {
    const bytes = encoder.encode(text)
    const path = encoder.encode(name)
    // Version, flags, method, time and date (1 January 1980), checksum, sizes, lengths.
    const common = [
      ...little(20, 2),
      ...little(0, 2),
      ...little(0, 2),
      ...little(0, 2),
      ...little(33, 2),
      ...little(checksum(bytes), 4),
      ...little(bytes.length, 4),
      ...little(bytes.length, 4),
      ...little(path.length, 2),
      ...little(0, 2),
    ]
    const start = files.length
    files.push(...little(0x04034b50, 4), ...common, ...path, ...bytes)
    directory.push(
      ...little(0x02014b50, 4),
      ...little(20, 2),
      ...common,
      ...Array(10).fill(0),
      ...little(start, 4),
      ...path,
    )
  }
  const count = little(entries.length, 2)
  const end = [...little(directory.length, 4), ...little(files.length, 4), 0, 0]
  return Uint8Array.from([...files, ...directory, ...little(0x06054b50, 4), 0, 0, 0, 0, ...count, ...count, ...end])
}

function little(value: number, size: 2 | 4): number[] {
  return Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 255)
}

/** CRC-32 (ISO 3309). */
function checksum(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}
