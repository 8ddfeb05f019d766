/**
 * Reads all of YAML, with merge keys, tags and duplicate keys. Takes five times as long as `plain-yaml.ts`, which reads the
 * subset that most documents use.
 */

import {
  Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { SandboxError } from '../contract/sandbox-error.js'
import { toExactNumber } from '../json/exact-json.js'
import type { DocumentPath } from './document.js'
import { oncePer } from './once.js'

/** A duplicate key in an object. */
export interface DuplicateKey {
  key: string
  offset: number
  /** Whether both values are objects. In YAML, their members are combined. */
  isMerged: boolean
}

/** The positions of the parts of a text. */
export interface TextPlaces {
  duplicateKeys: DuplicateKey[]
  /** The offset of the deepest existing part of a path, or of its key if it has one. */
  offsetOf(path: DocumentPath): number
}

export interface ReadYaml extends TextPlaces {
  value(): unknown
}

type Refuse = (message: string, offset: number) => SandboxError

/** Maximum members that the merge keys of a file may add. Nested merges multiply. */
const maxMerged = 100_000

/** @throws SandboxError made by `refuse`, if the text cannot be parsed */
export function readAnyYaml(text: string, refuse: Refuse): ReadYaml {
  const parsed = parseNodes(text, refuse)
  const [syntaxError] = parsed.errors
  if (syntaxError) {
    const isSecond = syntaxError.code === 'MULTIPLE_DOCS'
    const why = isSecond ? 'a second document begins here; a file must have only one' : syntaxError.message
    throw refuse(why, syntaxError.pos[0])
  }
  const unknown = connectAliases(parsed)
  if (unknown) throw refuse(`unknown anchor "&${unknown.source}"`, unknown.range?.[0] ?? 0)
  const duplicateKeys = joinDuplicateKeys(parsed)
  applyMergeKeys(parsed, refuse)
  return {
    value() {
      try {
        // Aliases share one object. `checkSize` limits the expanded size.
        return parsed.toJS({ maxAliasCount: -1 })
      } catch (error) {
        throw refuse((error as Error).message, 0)
      }
    },
    duplicateKeys,
    offsetOf: createOffsetFinder(parsed.contents),
  }
}

function parseNodes(text: string, refuse: Refuse): Document.Parsed<ParsedNode> {
  try {
    return parseDocument(text, { prettyErrors: false, uniqueKeys: false, merge: true })
  } catch (error) {
    // For example a stack overflow by nested brackets.
    throw refuse((error as Error).message, 0)
  }
}

/**
 * Connects each alias with its anchor, because the parser would search all anchors, and reads every digit of integers.
 * @returns an alias without an anchor
 */
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
      if (isScalar(node) && typeof node.value === 'number') node.value = toExactNumber(node.source ?? '', node.value)
      return undefined
    },
  })
  return unknown
}

/** Merges two objects with the same key. For other values, the last one counts. */
function joinDuplicateKeys(parsed: Document.Parsed<ParsedNode>): DuplicateKey[] {
  const found: DuplicateKey[] = []
  visit(parsed, {
    Map(_, map) {
      const firsts = new Map<unknown, Pair>()
      for (const pair of map.items as Pair[]) {
        const { key, value } = pair
        if (!isScalar(key) || isMerge(pair)) continue
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

/**
 * Copies merged members into their objects, because the parser would create all members of a merged object again for each
 * merge. An object's own members have priority, then those that are merged first.
 */
function applyMergeKeys(parsed: Document.Parsed<ParsedNode>, refuse: Refuse): void {
  let merged = 0
  visit(parsed, {
    Map(_, map, around) {
      const pairs = map.items as Pair[]
      if (!pairs.some(isMerge)) return
      const own = pairs.filter((pair) => !isMerge(pair))
      const names = new Set(own.map(({ key }) => toName(key)))
      const added: Pair[] = []
      for (const merge of pairs.filter(isMerge)) {
        const offset = (merge.key as Node).range?.[0] ?? 0
        const sources = isSeq(merge.value) ? merge.value.items : [merge.value]
        for (const source of sources.map(behindAlias)) {
          if (!isMap(source)) throw refuse('a merge key (<<) must have an object, or a list of objects', offset)
          if (source === map || around.includes(source))
            throw refuse('a merge key leads back to its own object', offset)
          for (const pair of source.items as Pair[]) {
            const name = toName(pair.key)
            if (names.has(name)) continue
            names.add(name)
            if (++merged > maxMerged) throw refuse(`merge keys add more than ${maxMerged} members`, offset)
            added.push(new Pair(pair.key, shared(pair.value)))
          }
        }
      }
      map.items.splice(0, map.items.length, ...added, ...own)
    },
  })

  /** An alias, so that all objects have the same value. */
  function shared(value: unknown): unknown {
    if (!isCollection(value)) return value
    value.anchor ??= `merged${merged}`
    const alias = new Alias(value.anchor)
    alias.resolve = () => value as YAMLMap
    return alias
  }
}

/** The parser reads the key `<<` as a symbol. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol'
}

/** The name of a key. Two keys that are objects are never the same. */
function toName(key: unknown): unknown {
  return isScalar(key) ? String(key.value) : key
}

function behindAlias(node: unknown): unknown {
  return isAlias(node) ? node.resolve(undefined as never) : node
}

/** Finds the offset of the deepest existing part of a path, or of its key if it has one. */
function createOffsetFinder(root: Node | null): (path: DocumentPath) => number {
  /** The last pair with a key counts. */
  const pairsOf = oncePer((map: YAMLMap) => new Map(map.items.filter(isPair).map((pair) => [String(pair.key), pair])))

  return (path) => {
    let node: unknown = root
    let offset = root?.range?.[0] ?? 0
    for (const part of path) {
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(part))
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
