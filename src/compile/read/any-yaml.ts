/**
 * Reads all of YAML, with merge keys, tags, and keys that are given twice. Takes five times as long as `plain-yaml.ts`,
 * which reads what most documents are written in.
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
import type { SandboxError } from '../../contract/sandbox-error.js'
import type { DocumentPath } from '../document.js'
import { oncePer } from '../once.js'

/** A key that is given again in the same object. */
export interface DuplicateKey {
  key: string
  offset: number
  /** Both values are objects. In YAML, their members are used together. */
  isMerged: boolean
}

/** Where the parts of a text are. */
export interface TextPlaces {
  duplicateKeys: DuplicateKey[]
  /** The offset of the deepest existing part of a path: of its key, if it has one. */
  offsetOf(path: DocumentPath): number
}

export interface ReadYaml extends TextPlaces {
  value(): unknown
}

type Refuse = (message: string, offset: number) => SandboxError

/** Members that merge keys of a file add to its objects. Merges of merges multiply. */
const maxMerged = 100_000

/** @throws SandboxError that `refuse` makes, if the text cannot be parsed */
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
        // Aliases share one object. `checkSize` bounds what they stand for.
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
 * Puts the members that merge keys stand for into their objects: the parser would make all members of a merged object
 * again for each object that merges it. An object's own members count, then those that are merged first.
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
            if (++merged > maxMerged) throw refuse(`merge keys stand for more than ${maxMerged} members`, offset)
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

/** Finds the offset of the deepest existing part of a path: of its key, if it has one. */
function createOffsetFinder(root: Node | null): (path: DocumentPath) => number {
  /** The last pair of a key counts. */
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
