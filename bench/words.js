/**
 * Counts the words of the lexicon: in the documents of how many providers a name occurs where its table says.
 *
 * - `npm run bench words` writes the numbers into the tables of `src/lexicon`, and prints the names that no provider has.
 * - `-- --list <place>` prints the names that most providers have at a place and that no table of this place has.
 *
 * What is counted is kept in `bench/results/words`; `-- --again` counts again.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chooseDocuments } from './documents/choose-documents.js'

const kept = fileURLToPath(new URL('results/words/counts.json', import.meta.url))
const lexicon = fileURLToPath(new URL('../src/lexicon/', import.meta.url))
const tables = /table\(\s*'(\w+)',\s*`([^`]*)`/g
const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

export default async function benchWords({ say, again, list, limit = 60 }) {
  const counts = existsSync(kept) && !again ? JSON.parse(readFileSync(kept, 'utf8')) : countAll(say)
  const known = new Map()
  const unused = []
  for (const file of readdirSync(lexicon)) {
    const text = readFileSync(lexicon + file, 'utf8')
    const written = text.replace(tables, (call, place, names) => {
      const entries = names.split(',').map((each) => each.trim().replace(/ \d+$/, ''))
      const own = counts[place] ?? {}
      for (const name of entries) {
        if (!known.has(place)) known.set(place, new Set())
        known.get(place).add(bareOf(name))
        if (!own[bareOf(name)]) unused.push([file, place, name])
      }
      return call.replace(`\`${names}\``, `\`${wrap(entries.map((name) => `${name} ${own[bareOf(name)] ?? 0}`))}\``)
    })
    if (written !== text) writeFileSync(lexicon + file, written)
  }
  const lists = []
  if (list !== undefined) {
    const others = Object.entries(counts[list] ?? {}).filter(([name]) => !known.get(list)?.has(name))
    const lines = others.sort(([, one], [, other]) => other - one).slice(0, limit)
    lists.push({ title: `Names that no table has: ${list}`, lines: lines.map(([name, count]) => `${name} ${count}`) })
  }
  return {
    tables: [{ title: 'Names without a provider', head: ['file', 'place', 'name'], rows: unused }],
    lists,
    notes: [],
  }
}

/** Entries in lines that fit the width of the sources. */
function wrap(entries) {
  const lines = ['']
  for (const entry of entries) {
    const line = lines.at(-1)
    if (line !== '' && line.length + entry.length > 114) lines.push('')
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ' '}${entry},`
  }
  const text = lines.join('\n  ').replace(/,$/, '')
  return text
}

function countAll(say) {
  const places = {}
  for (const { name, file } of chooseDocuments({ all: true })) {
    const provider = name.replace(/\.json$/, '').split(/[/:]/)[0]
    collect(JSON.parse(readFileSync(file, 'utf8')), (place, text) => {
      const bare = bareOf(text)
      if (bare === '' || bare.length > 40) return
      places[place] ??= new Map()
      if (!places[place].has(bare)) places[place].set(bare, new Set())
      places[place].get(bare).add(provider)
    })
  }
  const counts = Object.fromEntries(
    Object.entries(places).map(([place, names]) => [
      place,
      Object.fromEntries([...names].map(([name, { size }]) => [name, size])),
    ]),
  )
  mkdirSync(new URL('results/words/', import.meta.url), { recursive: true })
  writeFileSync(kept, JSON.stringify(counts))
  say?.(`Counted ${Object.keys(places).length} places`)
  return counts
}

/** Reports the names of a document with their places. */
function collect(document, add) {
  const addSegments = (path) => {
    for (const segment of path.split(/[/:.?]/)) {
      if (segment === '' || segment.startsWith('{')) continue
      add('segment', segment)
      add('verb', wordsOf(segment)[0] ?? '')
    }
  }
  const visit = (value, key, isNames) => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, '')
      return
    }
    if (typeof value !== 'object' || value === null) return
    if (isNames) {
      for (const [name, schema] of Object.entries(value)) {
        add('property', name)
        add('lead', wordsOf(name)[0] ?? '')
        add('word', wordsOf(name).at(-1) ?? '')
        const isState = /^(status|state|phase|stage)$/.test(wordsOf(name).at(-1) ?? '')
        for (const each of (isState && schema?.enum) || []) if (typeof each === 'string') add('state', each)
        visit(schema, name)
      }
      return
    }
    const places = { query: 'parameter', path: 'path', header: 'header' }
    if (typeof value.in === 'string' && typeof value.name === 'string' && places[value.in])
      add(places[value.in], value.name)
    if (typeof value.operationId === 'string') add('verb', wordsOf(value.operationId)[0] ?? '')
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'paths' && key === '') for (const path of Object.keys(inner ?? {})) addSegments(path)
      if ((name === 'schemas' || name === 'definitions') && typeof inner === 'object')
        for (const schema of Object.keys(inner ?? {})) add('schema', schema)
      if (name === 'headers' && typeof inner === 'object')
        for (const header of Object.keys(inner ?? {})) add('header', header)
      if (name !== 'example' && name !== 'examples') visit(inner, name, name === 'properties' && !methods.has(key))
    }
  }
  visit(document, '')
}

function bareOf(name) {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}
