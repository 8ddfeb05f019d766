/** First step: which operation is it, on which server? Else 404 or 405. */
import type { Method, Operation, RequestContract, Server } from '../contract/contract.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import { shorten } from '../contract/violations.js'
import { closestOf } from './closest.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'

export interface Route {
  operation: Operation
  /** Path parameters by name, decoded; none for one whose percent-encoding is malformed. */
  path: Record<string, string | undefined>
}

/** What stands at a path of a server: a tree by segments, literal ones first. */
interface Node {
  literals: Map<string, Node>
  parameter?: Node
  operations: Map<Method, Target>
}

/** What a path leads to. */
interface Match {
  node: Node
  /** Its parameters in the order in which they stand. */
  values: (string | undefined)[]
}

interface Target {
  operation: Operation
  /** Names of its path parameters, in the order in which they stand. */
  names: string[]
}

export interface Router {
  find(request: SandboxRequest): Route | Refusal
  /** Methods of the path in the order of the alphabet, HEAD and OPTIONS included; none where there is no such path. */
  methodsAt(request: SandboxRequest): string[]
}

/** How many paths of a server are remembered. */
const maxPaths = 256

export function createRouter(contract: RequestContract): Router {
  const roots = new Map(contract.servers.map((server) => [server.name, compileTree(contract, server.name)]))
  // Callers ask for the same paths again and again.
  const known = new Map<string, Map<string, Match | undefined>>()

  function match({ server = '', path }: SandboxRequest): Match | undefined {
    const root = roots.get(server)
    return root && getOrInsert(getOrInsert(known, server, newMap), path, () => walk(root, path), maxPaths)
  }

  /** The base that is missing: that of a server which has the path. */
  function baseOf({ mount, path }: SandboxRequest): string | undefined {
    const isThere = ({ name, mount: base }: Server) => {
      const root = roots.get(name)
      return base !== '' && root !== undefined && walk(root, mount + path) !== undefined
    }
    return contract.servers.find(isThere)?.mount
  }

  return {
    find(request) {
      const found = match(request)
      if (!found) return unknownPath(contract, request, baseOf(request))
      const { operations } = found.node
      const { method } = request
      const target = operations.get(method as Method) ?? (method === 'HEAD' ? operations.get('GET') : undefined)
      if (!target) return otherMethod(request, methodsOf(found.node))
      const path: Route['path'] = {}
      for (let index = 0; index < found.values.length; index++) path[target.names[index] ?? ''] = found.values[index]
      return { operation: target.operation, path }
    },
    methodsAt(request) {
      const found = match(request)
      return found ? methodsOf(found.node) : []
    },
  }
}

function createNode(): Node {
  return { literals: new Map(), operations: new Map() }
}

function compileTree({ operations }: RequestContract, server: string): Node {
  const root = createNode()
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
  }
  return root
}

function walk(root: Node, path: string): Match | undefined {
  const values: Match['values'] = []
  const node = descend(root, path.split('/'), 1, values)
  return node && { node, values }
}

/** Collects the values of parameters on the way; a literal segment wins over a parameter. */
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

function otherMethod({ method, mount, path }: SandboxRequest, methods: string[]): Refusal {
  const allowed = methods.join(', ')
  return {
    reason: 'method_not_allowed',
    message: `${shorten(method)} is not allowed on ${shorten(mount + path)}; allowed: ${allowed}`,
    headers: { Allow: allowed },
  }
}

function unknownPath(
  contract: RequestContract,
  { server, mount, path }: SandboxRequest,
  base: string | undefined,
): Refusal {
  const called = `${mount}${path}`
  const refuse = (hint: string): Refusal => ({
    reason: 'not_found',
    message: `No such path: ${shorten(called)}; ${hint}`,
  })
  if (base !== undefined) return refuse(`the base ${base} is missing: try ${base}${shorten(called)}`)
  const known = contract.operations.flatMap((operation) =>
    contract.servers
      .filter(({ name }) => operation.servers.includes(name))
      .map((each) => (each.name === server ? mount : each.mount) + operation.path),
  )
  return refuse(`the closest known path is ${closestOf(called, known)}`)
}
