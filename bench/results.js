/** Writes results to files in `bench/results`. */
import { mkdirSync, writeFileSync } from 'node:fs'

const folder = new URL('results/', import.meta.url)

export function writeResult(name, { bars, notes, data, options }, machine) {
  mkdirSync(folder, { recursive: true })
  const text = JSON.stringify({ benchmark: name, machine, options, bars, notes, data }, undefined, 2)
  writeFileSync(new URL(`${name}.json`, folder), `${text}\n`)
}
