/** Reads a large scenario in turns of the event loop: parsing 64 MB at once takes seconds. */
import { holdsInfinity, parseExactJson } from '../json/exact-json.js'
import { isObject } from '../json/own-value.js'
import { createPause } from '../json/steps.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'

/** Minimum bytes of a text that is divided. */
const largeBytes = 1024 * 1024
/** Characters that are parsed in one turn. */
const sliceCharacters = 256 * 1024

const utf8 = new TextDecoder('utf-8')
const opening = /[ \t\n\r]*\{[ \t\n\r]*/y
const listOpening = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:[ \t\n\r]*\[/y
const afterList = /\][ \t\n\r]*(?:(,)[ \t\n\r]*|\}[ \t\n\r]*$)/y

/** @returns undefined for a small text, and for an invalid one: reading it as a whole gives the reason */
export async function readScenario(bytes: Uint8Array): Promise<Scenario | undefined> {
  if (bytes.length < largeBytes) return undefined
  const text = utf8.decode(bytes)
  const pause = createPause()
  const scenario: Record<string, Values[]> = {}
  let at = matchAt(opening, text, 0)?.end
  while (at !== undefined) {
    const named = matchAt(listOpening, text, at)
    const name = named && tryToParse(named.group)
    if (typeof name !== 'string' || name === '__proto__') return undefined
    const records: Values[] = []
    let from = named?.end ?? 0
    for (let end = findEnd(text, from); ; end = findEnd(text, from)) {
      const parsed = tryToParse(`[[${text.slice(from, end)}]]`)
      const [items] = Array.isArray(parsed) ? parsed : []
      const isComplete = text[end] === ']' && records.length === 0
      if (!Array.isArray(items) || !items.every(isObject) || (items.length === 0 && !isComplete)) return undefined
      for (const item of items) records.push(item)
      await pause()
      from = end + 1
      if (text[end] === ']') break
    }
    scenario[name] = records
    const after = matchAt(afterList, text, from - 1)
    if (!after) return undefined
    if (after.group === '') return scenario
    at = after.end
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): { group: string; end: number } | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found ? { group: found[1] ?? '', end: pattern.lastIndex } : undefined
}

/** @returns undefined for text that is not JSON, or with a number beyond a double */
function tryToParse(text: string): unknown {
  try {
    const { exact } = parseExactJson(text)
    return holdsInfinity(exact) ? undefined : exact
  } catch {
    return undefined
  }
}

/** The index of the comma after about a slice of items, or of the bracket after the last one; else of the end. */
function findEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findQuote(text, at + 1)
    else if (code === comma && depth === 0 && at - from >= sliceCharacters) return at
    else if (code === bracket || code === brace) depth++
    // In ASCII, a closing bracket is two after the opening one.
    else if (code === bracket + 2 || code === brace + 2) if (depth-- === 0) return at
  }
  return text.length
}

const [quote, comma, bracket, brace] = ['"', ',', '[', '{'].map((each) => each.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/** The index of the quotation mark that ends a string, or of the end. */
function findQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
