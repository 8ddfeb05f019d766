/** Reads recordings: what real servers answered, twice, and their documents. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { workFolder } from '../work-folder.js'
import { WrongUse } from '../wrong-use.js'

const document = /^openapi\.(json|ya?ml)(\.gz)?$/
/** Each file of a recording: whether a name is its own, and what it contains. */
const files = [
  { title: 'exchanges.json', like: /^exchanges\.json$/, contains: 'the requests, and what the real server answered' },
  { title: 'again.json', like: /^again\.json$/, contains: 'what a second, fresh server answered to the same requests' },
  {
    title: 'openapi.json or openapi.yaml',
    like: document,
    contains: 'the document of the server, or compressed as .gz',
  },
]
const layout = [
  'The folder must contain a folder for each server, with',
  ...files.map(({ title, contains }) => `  ${title.padEnd(28)}  ${contains}`),
  '"npm run bench truth -- --record <folder>" makes such a folder. bench/truth/README.md describes the files.',
].join('\n')

/**
 * @param data a folder of recordings
 * @param only names of servers, with commas
 * @returns `{ name, first, second, document }` for each server, sorted by name; `document` is a file
 * @throws WrongUse if a file is missing
 */
export function readRecordings({ data, only }) {
  if (data === undefined) throw new WrongUse(`truth requires --data <folder>. ${layout}`)
  if (!existsSync(data)) throw new WrongUse(`There is no folder "${data}". ${layout}`)
  const names = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && namesIn(join(data, entry.name)).some((name) => files[0].like.test(name)))
    .map(({ name }) => name)
  if (names.length === 0) throw new WrongUse(`"${data}" contains no folder with exchanges.json. ${layout}`)
  const chosen = only?.split(',') ?? names
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new WrongUse(`--only takes names of servers: ${names.join(', ')} (got "${unknown}")`)
  return chosen.sort().map((name) => readRecording(join(data, name), name))
}

function namesIn(folder) {
  return readdirSync(folder)
}

function readRecording(folder, name) {
  const [first, second, documentName] = files.map(({ title, like }) => {
    const found = namesIn(folder).find((each) => like.test(each))
    if (found === undefined) throw new WrongUse(`"${folder}" contains no ${title}. ${layout}`)
    return found
  })
  return {
    name,
    first: JSON.parse(readFileSync(join(folder, first), 'utf8')),
    second: JSON.parse(readFileSync(join(folder, second), 'utf8')),
    document: unpack(join(folder, documentName), `${name}-${documentName}`),
  }
}

function unpack(file, name) {
  if (!file.endsWith('.gz')) return file
  const unpacked = join(workFolder(), name.slice(0, -'.gz'.length))
  writeFileSync(unpacked, gunzipSync(readFileSync(file)))
  return unpacked
}
