/** Finds the operation of a request, or answers 404, 405 or a preflight. */
import type { Operation, RequestContract, Server } from '../contract/contract.js'
import { parsePathTemplate } from '../contract/path-template.js'
import { closestOf } from '../contract/suggest-closest.js'
import { shorten } from '../contract/violations.js'
import { getOrInsert } from '../json/own-value.js'
import { Refusal, type Written } from './outcome.js'
import { chooseCandidate, toCandidates, toPathTexts } from './request/path-candidates.js'
import type { ParameterReader, PathTexts } from './request/read-parameters.js'
import type { SandboxRequest } from './request/request.js'
import { compileTree, findMatch, findMatches, type Match, type Target, type Tree } from './request/route-tree.js'
import { isPreflight, preflightHeaders } from './responses/cors.js'
import { toAllowed } from './responses/render-refusal.js'

export interface Route {
  operation: Operation
  path: PathTexts
  /** Why another path was taken for that of the operation. */
  note?: string
}

export interface Router {
  route(request: SandboxRequest): Route | Written | Refusal
}

export function isRoute(found: Route | Written | Refusal): found is Route {
  return 'operation' in found
}

/** @param cors whether preflights are answered (Fetch standard, section 3.3) */
export function createRouter(contract: RequestContract, cors: boolean, readParameters: ParameterReader): Router {
  const trees = compileTrees(contract)

  /** Finds a server that has the path below its base, in case the caller forgot the base. */
  function baseOf({ mount, path }: SandboxRequest): string | undefined {
    const isThere = ({ name, mount: base }: Server) => {
      const tree = trees.get(name)
      return base !== '' && tree !== undefined && findMatches(tree, mount + path).length > 0
    }
    return contract.servers.find(isThere)?.mount
  }

  /** All paths with their bases. The paths of the called server have the base that was called. */
  function pathsNear({ server, mount }: SandboxRequest): string[] {
    return contract.servers.flatMap(({ name, mount: own }) => {
      const base = name === server ? mount : own
      return (trees.get(name)?.paths ?? []).map((path) => base + path)
    })
  }

  /** Compares all operations with a matching path, for the few requests where the first match is not decisive. */
  function routeByAll(request: SandboxRequest, tree: Tree | undefined): Route | Written | Refusal {
    const { method, path } = request
    const candidates = tree ? toCandidates(findMatches(tree, path), request) : []
    const methods = candidates.length === 0 ? [] : toAllowed(candidates.map(({ method }) => method))
    if (cors && isPreflight(request)) return { status: 204, headers: preflightHeaders(request, methods) }
    if (candidates.length === 0) return refuseUnknownPath(request, baseOf(request), pathsNear(request))
    const withMethod = candidates.filter((each) => each.method === method)
    const chosen = chooseCandidate(contract, readParameters, request, withMethod)
    if (chosen) return toRoute(chosen.target, chosen.values)
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: methods.join(', ') } }
    return refuseMethod(request, methods)
  }

  return {
    route(request) {
      const { method, path, server = '' } = request
      const tree = trees.get(server)
      if (!tree || (cors && isPreflight(request))) return routeByAll(request, tree)
      const literal = tree.literals.get(path)?.sole.get(method)
      if (literal) return toRoute(literal, noValues)
      const match = findMatch(tree, path, method)
      const target = match?.end.sole.get(method)
      return match && target ? toRoute(target, match.values) : routeByAll(request, tree)
    },
  }
}

/** For paths without parameters. */
const noValues: Match['values'] = []

function toRoute(target: Target, values: Match['values']): Route {
  return { operation: target.operation, path: toPathTexts(target, values) }
}

/** Servers with the same operations share a tree. */
function compileTrees({ operations, servers }: RequestContract): Map<string, Tree> {
  const targets = operations.map((operation, index) => {
    const template = parsePathTemplate(operation.path)
    return { operation, template, names: template.segments.flatMap(({ names }) => names), index }
  })
  const byServer = new Map<string, Target[]>()
  for (const target of targets)
    for (const name of target.operation.servers) getOrInsert(byServer, name, () => []).push(target)
  const trees = new Map<string, Tree>()
  return new Map(
    servers.map(({ name }) => {
      const own = byServer.get(name) ?? []
      const key = own.map(({ index }) => index).join()
      return [name, getOrInsert(trees, key, () => compileTree(own))]
    }),
  )
}

function refuseMethod({ method, mount, path }: SandboxRequest, methods: string[]): Refusal {
  const allowed = methods.join(', ')
  const message = `${shorten(method)} is not allowed on ${shorten(mount + path)}; allowed: ${allowed}`
  return new Refusal('method_not_allowed', message, { headers: { Allow: allowed } })
}

/** @param base the base that is missing, if any */
function refuseUnknownPath({ mount, path }: SandboxRequest, base: string | undefined, known: string[]): Refusal {
  const called = `${mount}${path}`
  const shown = shorten(called)
  const hint =
    base === undefined
      ? `the closest known path is ${closestOf(called, known)}`
      : `the base ${base} is missing: try ${base}${shown}`
  return new Refusal('not_found', `No such path: ${shown}; ${hint}`)
}
