/** The documented paths of a server as a tree of segments, and the search for those that match a requested path. */
import type { Operation } from '../../contract/contract.js'
import {
  decodeText,
  matchSegment,
  type PathSegment,
  type PathTemplate,
  wholeParameter,
} from '../../contract/path-template.js'

/** An operation with its parsed path. */
export interface Target {
  operation: Operation
  template: PathTemplate
  /** Names of the path parameters, from left to right. */
  names: string[]
  /** Index among the operations of the document. */
  index: number
}

/** The paths that begin with the same segments. Names of parameters do not matter. */
export interface Node {
  /** A number per segment: large for a literal, -1 for a parameter, else the number of literal characters. */
  rank: readonly number[]
  literals: Map<string, Node>
  /** Segments that mix text and parameters, those with more literal characters first. */
  partials: PartialBranch[]
  parameter?: Node
  /** The operations of the path that ends here, by method. GET operations also answer HEAD. */
  targets: Map<string, Target[]>
  /** The operations that are the only ones with their method, so that no further choice is needed. */
  sole: Map<string, Target>
}

interface PartialBranch {
  key: string
  segment: PathSegment
  /** Number of literal characters. */
  length: number
  child: Node
}

/** A matching path, with the decoded values of its parameters from left to right. */
export interface Match {
  /** Where the path ends. */
  end: Node
  values: (string | undefined)[]
}

export interface Tree {
  root: Node
  /** The ends of paths without parameters, found by a single look-up. */
  literals: Map<string, Node>
  /** The documented paths. */
  paths: string[]
}

export function compileTree(targets: readonly Target[]): Tree {
  const root = createNode([])
  const literals: Tree['literals'] = new Map()
  for (const target of targets) {
    const { path, segments } = target.template
    const node = segments.reduce(toChild, root)
    const { method } = target.operation
    node.targets.set(method, [...(node.targets.get(method) ?? []), target])
    if (target.names.length === 0) literals.set(path, node)
  }
  settle(root, false)
  return { root, literals, paths: targets.map(({ operation }) => operation.path) }
}

function createNode(rank: readonly number[]): Node {
  return { rank, literals: new Map(), partials: [], targets: new Map(), sole: new Map() }
}

function toChild(node: Node, segment: PathSegment): Node {
  const texts = segment.texts.map((text) => decodeText(text) ?? text)
  // No text contains a slash.
  const key = texts.join('/')
  if (segment.names.length === 0) {
    const child = node.literals.get(key) ?? createNode([...node.rank, Number.MAX_VALUE])
    node.literals.set(key, child)
    return child
  }
  if (wholeParameter(segment) !== undefined) {
    node.parameter ??= createNode([...node.rank, -1])
    return node.parameter
  }
  const known = node.partials.find((partial) => partial.key === key)
  if (known) return known.child
  const length = texts.join('').length
  const child = createNode([...node.rank, length])
  node.partials.push({ key, segment, length, child })
  return child
}

/**
 * Prepares a complete tree for searching.
 * @param isContested whether another path may match the same text equally well
 */
function settle({ literals, partials, parameter, targets, sole }: Node, isContested: boolean): void {
  const get = targets.get('GET')
  if (get) targets.set('HEAD', [...(targets.get('HEAD') ?? []), ...get])
  for (const [method, [target, other]] of targets) {
    if (target && !other && !isContested && target.template.query.length === 0) sole.set(method, target)
  }
  partials.sort((a, b) => b.length - a.length)
  for (const each of literals.values()) settle(each, isContested)
  for (const { child, length } of partials) {
    settle(child, isContested || partials.filter((other) => other.length === length).length > 1)
  }
  if (parameter) settle(parameter, isContested)
}

/**
 * Finds the most literal matching path with the method. For each segment it tries a literal first, then segments with
 * literal parts, then a parameter.
 */
export function findMatch({ root }: Tree, path: string, method: string): Match | undefined {
  if (!path.startsWith('/')) return undefined
  const search = { path, method, values: [], all: undefined }
  const end = descend(search, root, 1)
  return end && { end, values: search.values }
}

/** Finds all matching paths, the most literal ones first. */
export function findMatches({ root }: Tree, path: string): Match[] {
  const all: Match[] = []
  if (path.startsWith('/')) descend({ path, method: '', values: [], all }, root, 1)
  return all
}

interface Search {
  path: string
  method: string
  /** Values of the parameters on the way. */
  values: Match['values']
  /** If given, collects the matches of all methods. */
  all: Match[] | undefined
}

/** Visits each node at most once: its depth determines the segment that it is compared with. */
function descend(search: Search, node: Node, start: number): Node | undefined {
  const { path, values } = search
  const slash = path.indexOf('/', start)
  const text = slash === -1 ? path.slice(start) : path.slice(start, slash)
  const { literals, partials, parameter } = node
  const decoded = decodeText(text)
  const literal = literals.size === 0 ? undefined : literals.get(decoded ?? text)
  const found = literal && proceed(search, literal, slash)
  if (found || text === '') return found
  for (const { segment, child } of partials) {
    const matched = matchSegment(segment, text)
    if (!matched) continue
    values.push(...matched)
    const below = proceed(search, child, slash)
    if (below) return below
    values.length -= matched.length
  }
  if (!parameter) return undefined
  values.push(decoded)
  const below = proceed(search, parameter, slash)
  if (!below) values.pop()
  return below
}

/** @param slash index of the slash after the segment of the node, -1 if it is the last one */
function proceed(search: Search, node: Node, slash: number): Node | undefined {
  if (slash !== -1) return descend(search, node, slash + 1)
  if (!search.all) return node.targets.has(search.method) ? node : undefined
  if (node.targets.size > 0) search.all.push({ end: node, values: [...search.values] })
  return undefined
}
