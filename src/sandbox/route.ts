/** First step: finds the operation of a request. Answers 404, 405, or a preflight otherwise. */
import type { Method, Operation, RequestContract, Server } from '../contract/contract.js'
import { shorten } from '../contract/violations.js'
import { createNamed } from '../json/own-value.js'
import { isPreflight, preflightHeaders } from './cors.js'
import { type Answer, Refusal } from './outcome.js'
import type { SandboxRequest } from './request.js'
import { closestOf } from './suggest-closest.js'

export interface Route {
  operation: Operation
  /** Decoded path parameters by name. Undefined if the percent-encoding is malformed. */
  path: Record<string, string | undefined>
}

/** A node in the tree of path segments of a server. */
interface Node {
  literals: Map<string, Node>
  parameter?: Node
  operations: Map<Method, Target>
}

/** The node of a path. */
interface Match {
  node: Node
  /** Values of the path parameters, from left to right. */
  values: (string | undefined)[]
}

interface Target {
  operation: Operation
  /** Names of the path parameters, from left to right. */
  names: string[]
}

export interface Router {
  route(request: SandboxRequest): Route | Answer | Refusal
}

export function isRoute(found: Route | Answer | Refusal): found is Route {
  return 'operation' in found
}

/** @param cors whether preflights are answered (Fetch standard, section 3.3) */
export function createRouter(contract: RequestContract, cors: boolean): Router {
  const trees = new Map(contract.servers.map((server) => [server.name, compileTree(contract, server.name)]))

  function match({ server = '', path }: SandboxRequest): Match | undefined {
    const tree = trees.get(server)
    return tree?.literals.get(path) ?? (tree && walk(tree.root, path))
  }

  /** Finds a server that has the path below its base, in case the base was forgotten. */
  function baseOf({ mount, path }: SandboxRequest): string | undefined {
    const isThere = ({ name, mount: base }: Server) => {
      const tree = trees.get(name)
      return base !== '' && tree !== undefined && walk(tree.root, mount + path) !== undefined
    }
    return contract.servers.find(isThere)?.mount
  }

  return {
    route(request) {
      const found = match(request)
      if (cors && isPreflight(request)) {
        return { status: 204, headers: preflightHeaders(request, found ? methodsOf(found.node) : []) }
      }
      if (!found) return refuseUnknownPath(contract, request, baseOf(request))
      const { operations } = found.node
      const { method } = request
      const target = operations.get(method as Method) ?? (method === 'HEAD' ? operations.get('GET') : undefined)
      if (target) return { operation: target.operation, path: toNamed(target.names, found.values) }
      const methods = methodsOf(found.node)
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: methods.join(', ') } }
      return refuseMethod(request, methods)
    },
  }
}

function toNamed(names: readonly string[], values: readonly (string | undefined)[]): Route['path'] {
  const named: Route['path'] = createNamed()
  names.forEach((name, index) => {
    named[name] = values[index]
  })
  return named
}

function createNode(): Node {
  return { literals: new Map(), operations: new Map() }
}

/** The paths of a server. */
interface Tree {
  root: Node
  /** Paths without parameters, found by a single lookup. */
  literals: Map<string, Match>
}

function compileTree({ operations }: RequestContract, server: string): Tree {
  const root = createNode()
  const literals: Tree['literals'] = new Map()
  for (const operation of operations.filter(({ servers }) => servers.includes(server))) {
    let node = root
    const names: string[] = []
    for (const segment of operation.path.split('/').slice(1)) {
      const isParameter = segment.startsWith('{')
      const next = (isParameter ? node.parameter : node.literals.get(segment)) ?? createNode()
      if (isParameter) {
        node.parameter = next
        names.push(segment.slice(1, segment.indexOf('}')))
      } else node.literals.set(segment, next)
      node = next
    }
    node.operations.set(operation.method, { operation, names })
    if (names.length === 0) literals.set(operation.path, { node, values: [] })
  }
  return { root, literals }
}

function walk(root: Node, path: string): Match | undefined {
  const values: Match['values'] = []
  const node = descend(root, path.split('/'), 1, values)
  return node && { node, values }
}

/** Collects the values of parameters on the way. A literal segment has priority over a parameter. */
function descend(node: Node, segments: string[], index: number, values: (string | undefined)[]): Node | undefined {
  if (index === segments.length) return node.operations.size > 0 ? node : undefined
  const segment = segments[index] ?? ''
  const decoded = decode(segment)
  const literal = decoded === undefined ? undefined : node.literals.get(decoded)
  const below = literal && descend(literal, segments, index + 1, values)
  if (below) return below
  if (!node.parameter || segment === '') return undefined
  values.push(decoded)
  const found = descend(node.parameter, segments, index + 1, values)
  if (!found) values.pop()
  return found
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function methodsOf({ operations }: Node): string[] {
  const methods = new Set<string>(operations.keys()).add('OPTIONS')
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}

function refuseMethod({ method, mount, path }: SandboxRequest, methods: string[]): Refusal {
  const allowed = methods.join(', ')
  const message = `${shorten(method)} is not allowed on ${shorten(mount + path)}; allowed: ${allowed}`
  return new Refusal('method_not_allowed', message, { headers: { Allow: allowed } })
}

function refuseUnknownPath(
  contract: RequestContract,
  { server, mount, path }: SandboxRequest,
  base: string | undefined,
): Refusal {
  const called = `${mount}${path}`
  const refuse = (hint: string) => new Refusal('not_found', `No such path: ${shorten(called)}; ${hint}`)
  if (base !== undefined) return refuse(`the base ${base} is missing: try ${base}${shorten(called)}`)
  const known = contract.operations.flatMap((operation) =>
    contract.servers
      .filter(({ name }) => operation.servers.includes(name))
      .map((each) => (each.name === server ? mount : each.mount) + operation.path),
  )
  return refuse(`the closest known path is ${closestOf(called, known)}`)
}
