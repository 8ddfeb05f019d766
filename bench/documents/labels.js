/** What two readers say operations of public documents do. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../effects/', import.meta.url)

/** @param only a text in the name of a round. @returns `{ round, documents }`, each with a name and its labelled operations */
export function readLabels(only = '') {
  const files = readdirSync(folder).filter((name) => name.startsWith('labels-') && name.includes(only))
  return files.sort().map((name) => ({
    round: name.replace('.json', ''),
    documents: JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  }))
}

/** The effects that readers say. Where they disagree, both count as right. */
export function effectsOf(label) {
  return [label.effect, label.other?.effect ?? label.effect]
}

/** The name of an operation: `GET /books` */
export const nameOf = ({ method, path }) => `${method} ${path}`
