/** What names mean that are about files. */

/** What a property says of a file. */
export type FileFact = 'name' | 'type' | 'extension' | 'size' | 'md5' | 'sha1' | 'sha256'

/** Names that mean the same of any file. */
const usual: Readonly<Record<string, FileFact>> = {
  ...ofEach('name', 'filename originalfilename originalname uploadname'),
  ...ofEach('size', 'size filesize contentlength contentsize sizebytes sizeinbytes bytesize bytes filebytes'),
  ...ofEach('type', 'mimetype contenttype mediatype filemimetype filecontenttype'),
  ...ofEach('extension', 'extension fileextension ext'),
  ...ofEach('md5', 'md5 md5checksum md5hash md5sum contentmd5'),
  ...ofEach('sha1', 'sha1 sha1checksum sha1hash sha1sum sha'),
  ...ofEach('sha256', 'sha256 sha256checksum sha256hash sha256sum'),
}

function ofEach(is: FileFact, names: string): Record<string, FileFact> {
  return Object.fromEntries(names.split(' ').map((name) => [name, is]))
}

const hashNames = /^(checksum|hash|digest|fingerprint|contenthash|filehash)$/

/** Names whose description says what they are. */
const described: readonly (readonly [RegExp, RegExp, FileFact])[] = [
  [hashNames, /\bmd-?5\b/i, 'md5'],
  [hashNames, /\bsha-?1\b/i, 'sha1'],
  [hashNames, /\bsha-?256\b/i, 'sha256'],
  [/^(type|format)$/, /\b(mime|media|content)[- ]?type\b/i, 'type'],
  [/^length$/, /\bbytes\b/i, 'size'],
]

/** What a property of any file is about, by its name, else by what its description says. */
export function fileFactOf(name: string, said: string): FileFact | undefined {
  const known = Object.hasOwn(usual, name) ? usual[name] : undefined
  return known ?? described.find(([names, words]) => names.test(name) && words.test(said))?.[2]
}

export function isFileFact(name: string): boolean {
  return Object.hasOwn(usual, name)
}

/** Whether the last segment of a path is the content of the file above it. */
export function isFileContent(text: string): boolean {
  return /^(content|contents|download|raw)$/i.test(text)
}

/** Whether a path parameter ends with the name of a file. */
export function isFileName(name: string): boolean {
  return /(path|file_?name|name)$/i.test(name)
}

/** Names of properties with the key of a new file, if none has the name of the parameter. */
export const usualKeys: readonly string[] = ['id', 'key', 'uuid', 'name']

/** A segment without an extension, which does not identify the resource: `books.json` */
export const withoutExtension = (segment: string): string =>
  segment.replace(/\.(json|xml|html|csv|txt|ya?ml|aspx?|php|do|rss|atom|jsp)$/i, '')
