/** Reads a document for the measuring side, with nothing of the program that is measured. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { upgrade } from '@scalar/openapi-upgrader'
import { parse } from 'yaml'

const yamlOptions = { uniqueKeys: false, strict: false, merge: true, maxAliasCount: 10_000, logLevel: 'silent' }

/** @returns the document as OpenAPI 3.x and as it is written, and a function that follows references of the first */
export function readDocument(file) {
  const written = readFile(file)
  const document = written.swagger === undefined ? written : upgrade(structuredClone(written), '3.0')
  return { document, written, resolve: createResolve(document, file) }
}

function readFile(file) {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    return parse(text, yamlOptions)
  }
}

/** A reference into another file is followed once, from the main document only. */
function createResolve(document, file) {
  const others = new Map()
  const find = (reference) => {
    const [address, pointer = ''] = reference.split('#')
    if (address === '') return at(document, pointer)
    if (/^https?:/.test(address)) return undefined
    const path = resolve(dirname(file), address)
    if (!others.has(path)) others.set(path, tryRead(path))
    return at(others.get(path), pointer)
  }
  /** Follows a chain of references. Returns undefined where it leads nowhere. */
  return function follow(value, seen = new Set()) {
    const reference = value?.$ref
    if (typeof reference !== 'string') return value
    if (seen.has(reference)) return undefined
    seen.add(reference)
    return follow(find(reference), seen)
  }
}

function tryRead(path) {
  try {
    return readFile(path)
  } catch {
    return undefined
  }
}

function at(value, pointer) {
  const names = pointer.split('/').slice(1)
  return names.reduce((parent, name) => {
    const key = decode(name).replaceAll('~1', '/').replaceAll('~0', '~')
    return parent !== null && typeof parent === 'object' && Object.hasOwn(parent, key) ? parent[key] : undefined
  }, value)
}

function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
