/** Parses the text of a document, in YAML or JSON, and finds the places of its parts. */
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { SandboxError, type SourceLocation } from '../../contract/sandbox-error.js'
import type { DocumentPath } from '../document.js'
import { once } from '../once.js'
import { checkSize } from './check-size.js'
import { createLocator } from './source-location.js'

/** A key that is given again in the same object. */
export interface DuplicateKey {
  key: string
  offset: number
  /** Both values are objects. In YAML, their members are used together. */
  isMerged: boolean
}

/** A parsed file. */
export interface Source {
  /** Its name in messages. */
  file: string
  /** Its path or URL, which relative references in it begin at. */
  location: string
  text: string
  /** The parsed value. It belongs to the caller, who may change it. */
  value: unknown
  /** Whether the text was read by the fast parser of JSON, so that `duplicateKeys` and `locate` parse it once more. */
  isJson: boolean
  /** Offsets of keys that are given twice in one object. */
  duplicateKeys(): DuplicateKey[]
  /** The offset of a part of the document in its text. If the part is missing, that of its closest parent. */
  offsetOf(path: DocumentPath): number
  /** The place in the text. If the part is missing, that of its closest parent. */
  locate(place: DocumentPath | number): SourceLocation
}

/**
 * @param file name to quote in errors
 * @param location its path or URL, if the name is another one
 * @throws SandboxError `INVALID_DOCUMENT` if the text cannot be parsed, or would take too much memory
 */
export function parseSource(written: string, file: string, location: string = file): Source {
  const text = written.replace(/^\uFEFF/, '')
  if (/^\s*<(?:[!?a-z])/i.test(text)) {
    const why = 'it is HTML or XML, not YAML or JSON. Give the file itself, not a page that shows it'
    throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${why}`)
  }
  const parsed = once(() => parseYaml(text, file))
  const json = parseJson(text)
  const value = json ?? parsed().value()
  const why = checkSize(value)
  if (why !== undefined) throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${why}`)
  return {
    file,
    location,
    text,
    value,
    isJson: json !== undefined,
    duplicateKeys: () => parsed().duplicateKeys,
    offsetOf: (path) => parsed().offsetOf(path),
    locate: (place) => parsed().locate(place),
  }
}

/** Much faster than a YAML parser. Returns undefined if the text is not a JSON object, which YAML may still accept. */
function parseJson(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function parseYaml(text: string, file: string) {
  const lines = new LineCounter()
  const locate = createLocator(text, file, lines)
  const refuse = (message: string, offset: number) =>
    new SandboxError('INVALID_DOCUMENT', `Failed to read the document: ${message}`, locate(offset))
  const parsed = parseNodes(text, lines, refuse)
  const [syntaxError] = parsed.errors
  if (syntaxError) {
    const isSecond = syntaxError.code === 'MULTIPLE_DOCS'
    const why = isSecond ? 'a second document begins here; a file must have only one' : syntaxError.message
    throw refuse(why, syntaxError.pos[0])
  }
  const unknown = connectAliases(parsed)
  if (unknown) throw refuse(`unknown anchor "&${unknown.source}"`, unknown.range?.[0] ?? 0)
  const duplicateKeys = mergeDuplicateKeys(parsed)
  const offsetOf = createOffsetFinder(parsed.contents)
  return {
    value(): unknown {
      try {
        // Aliases share one object. `checkSize` bounds what they stand for.
        return parsed.toJS({ maxAliasCount: -1 })
      } catch (error) {
        throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${(error as Error).message}`)
      }
    },
    duplicateKeys,
    offsetOf,
    locate: (place: DocumentPath | number) => locate(typeof place === 'number' ? place : offsetOf(place)),
  }
}

function parseNodes(
  text: string,
  lineCounter: LineCounter,
  refuse: (message: string, offset: number) => SandboxError,
): Document.Parsed<ParsedNode> {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false, merge: true })
  } catch (error) {
    // Such as too many nested brackets for the stack.
    throw refuse((error as Error).message, 0)
  }
}

/** Connects each alias with its anchor, because the parser would look through all of them. @returns one without an anchor */
function connectAliases(parsed: Document.Parsed<ParsedNode>) {
  const anchors = new Map<string, Scalar | YAMLMap | YAMLSeq>()
  let unknown: { source: string; range?: readonly number[] | null } | undefined
  visit(parsed, {
    Node(_, node) {
      if (isAlias(node)) {
        const anchored = anchors.get(node.source)
        if (anchored) {
          node.resolve = () => anchored
          return undefined
        }
        unknown = node
        return visit.BREAK
      }
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      return undefined
    },
  })
  return unknown
}

/** Two objects of one key become one. Of other values, the last one counts. */
function mergeDuplicateKeys(parsed: Document.Parsed<ParsedNode>): DuplicateKey[] {
  const found: DuplicateKey[] = []
  visit(parsed, {
    Map(_, map) {
      const firsts = new Map<unknown, Pair>()
      for (const pair of map.items as Pair[]) {
        const { key, value } = pair
        if (!isScalar(key) || key.value === '<<') continue
        const first = firsts.get(key.value)
        firsts.set(key.value, pair)
        if (!first) continue
        const isMerged = isMap(first.value) && isMap(value)
        found.push({ key: String(key.value), offset: key.range?.[0] ?? 0, isMerged })
        if (isMerged) (value as YAMLMap).items.unshift(...(first.value as YAMLMap).items)
      }
    },
  })
  return found
}

/** Finds the offset of the deepest existing part of a path: of its key, if it has one. */
function createOffsetFinder(root: Node | null): (path: DocumentPath) => number {
  /** The pairs of maps by key. The last one counts. */
  const pairs = new Map<YAMLMap, Map<string, Pair>>()

  function pairOf(map: YAMLMap, key: string): Pair | undefined {
    let known = pairs.get(map)
    if (!known) {
      known = new Map(map.items.filter(isPair).map((pair) => [String(pair.key), pair]))
      pairs.set(map, known)
    }
    return known.get(key)
  }

  return (path) => {
    let node: unknown = root
    let offset = root?.range?.[0] ?? 0
    for (const part of path) {
      if (isMap(node)) {
        const pair = pairOf(node, String(part))
        if (!pair) return offset
        offset = (pair.key as Node).range?.[0] ?? offset
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(part)]
        offset = (node as Node | undefined)?.range?.[0] ?? offset
      } else return offset
    }
    return offset
  }
}
