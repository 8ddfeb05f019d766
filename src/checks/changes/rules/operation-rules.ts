/** What changes for whole operations: whether and how long they are there, where, and with which credentials. */
import type { Contract, Operation } from '../../../contract/contract.js'
import { isObject } from '../../../json/own-value.js'
import { kindsOf } from '../../consumer/exchange-values.js'
import { dateOf, successorHelp } from '../../consumer/rules/operation-rules.js'
import { toRules } from '../../finding.js'
import type { Change, ChangeFamily, Impact, OperationPair, VersionOperation } from '../change.js'
import { withoutNames } from '../operation-use.js'

const rules = toRules({
  'operation-removed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.8',
    looksAt: 'an operation that the next version does not have',
    help: 'Call another operation before you move to the next version',
  },
  'operation-deprecated': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.10',
    looksAt: 'an operation that the next version deprecates or ends earlier (an error with --sunset-within)',
    help: 'Stop calling it before it ends',
  },
  'credentials-changed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.30',
    looksAt: 'credentials that were accepted, and are not in the next version',
    help: 'Send credentials that the next version accepts',
  },
  'scope-added': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.30',
    looksAt: 'a scope that only the next version requires of a token',
    help: 'Request tokens with this scope',
  },
  'server-changed': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.5',
    looksAt: 'an address of the service that the next version does not have',
    help: 'Configure the new address',
  },
  'operation-added': {
    severity: 'info',
    restsOn: 'OpenAPI 3.1, section 4.8.8',
    looksAt: 'an operation that only the next version has',
    help: 'Nothing needs to be done',
  },
})

export const operationFamily: ChangeFamily = { rules: Object.values(rules), find: operationChanges }

export function additionOf({ method, path }: VersionOperation): Change {
  return { rule: rules['operation-added'], at: '', message: `${method} ${path} is new` }
}

export function removalOf(
  { method, path, operation }: VersionOperation,
  { use, lostProperties }: Pick<OperationPair, 'use' | 'lostProperties'>,
  moved: VersionOperation | undefined,
): Change {
  return {
    rule: rules['operation-removed'],
    at: '',
    message: moved ? `It is ${moved.method} ${moved.path} now` : `${method} ${path} is gone`,
    ...(moved ? { help: 'Call it there' } : successorHelp(operation, lostProperties())),
    impact: use?.isCalled ? 'yours' : 'unused',
  }
}

function* operationChanges(pair: OperationPair): Generator<Change> {
  const { old, next, use } = pair
  const impact: Impact = use?.isCalled ? 'yours' : 'unused'
  if (old.template.path.endsWith('/') !== next.template.path.endsWith('/')) {
    yield { rule: rules['operation-removed'], at: '', kind: 'slash', message: `It is at ${next.path} now`, impact }
  }
  yield* deprecation(pair, impact)
  yield* credentialChanges(pair)
  const urls = urlsOf(next.version.contract, next.operation)
  const targets = urls.map((url) => url + next.template.path)
  for (const url of urlsOf(old.version.contract, old.operation)) {
    // A part of the path may move to the address.
    if (targets.some((target) => isSamePath(target, url + old.template.path))) continue
    const message = `The address ${url || '/'} is gone; documented: ${urls.map((each) => each || '/').join(', ')}`
    yield { rule: rules['server-changed'], at: '', kind: url, message, isGeneral: true, impact }
  }
}

function* deprecation({ old, next, sunsetBefore, lostProperties }: OperationPair, impact: Impact): Generator<Change> {
  const { lifecycle: was } = old.operation
  const { deprecated, sunset } = next.operation.lifecycle
  const isNear = sunset !== undefined && sunsetBefore !== undefined && sunset <= sunsetBefore
  const isEarlier = sunset !== undefined && (was.sunset === undefined || sunset < was.sunset)
  if (!isNear && !isEarlier && (!deprecated || was.deprecated)) return
  yield {
    rule: rules['operation-deprecated'],
    at: '',
    message: `It is deprecated${sunset === undefined ? '' : ` and ends on ${dateOf(sunset)}`}`,
    ...successorHelp(next.operation, lostProperties()),
    ...(isNear && { severity: 'error' }),
    impact,
  }
}

function* credentialChanges({ old, next, use }: OperationPair): Generator<Change> {
  const [was, now] = [waysOf(old), waysOf(next)]
  const acceptedWith = (sent: readonly string[]) =>
    now.filter(({ kinds }) => kinds.every((kind) => sent.includes(kind)))
  const isRefused = (sent: readonly string[]) => acceptedWith(sent).length === 0
  const refused = was.filter(({ kinds }) => isRefused(kinds))
  if (refused.length > 0) {
    const ours = use?.credentials.map((kind) => (kind === 'none' ? [] : kind.split(' and ').map(toSent)))
    yield {
      rule: rules['credentials-changed'],
      at: 'credentials',
      message: `${listKinds(refused)} is not enough any more; accepted: ${listKinds(now)}`,
      impact: ours?.some(isRefused) ? 'yours' : 'unused',
    }
  }
  if (isFlowLost(old, next)) {
    const isSent = use?.credentials.some((kind) => kind !== 'none')
    const message = 'A token is issued in another flow'
    yield {
      rule: rules['credentials-changed'],
      at: 'credentials',
      kind: 'flow',
      message,
      impact: isSent ? 'yours' : 'unused',
    }
  }
  for (const { names, kinds, scopes } of was) {
    const accepting = acceptedWith(kinds)
    const same = accepting.filter((each) => each.names.join() === names.join())
    // Of the ways that take the same credentials, one without new scopes is enough.
    const added = (same.length > 0 ? same : accepting).map((each) =>
      each.scopes.filter(([, scope]) => !scopes.some(([, known]) => known === scope)),
    )
    const [first] = added.sort((one, other) => one.length - other.length)
    if (!first || first.length === 0) continue
    const schemes = [...new Set(first.map(([name]) => name))].join(' and ')
    yield {
      rule: rules['scope-added'],
      at: 'credentials',
      kind: 'scope',
      message: `A token of ${schemes} needs ${first.map(([, scope]) => scope).join(', ')}`,
      impact: use?.credentials.some((kind) => kind !== 'none') ? 'maybe' : 'unused',
    }
  }
}

/** Whether a scheme that both need has none of its flows any more (OpenAPI 3.1, section 4.8.28). */
function isFlowLost(old: VersionOperation, next: VersionOperation): boolean {
  const [was = [], now = []] = [old, next].map(({ operation, version: { document } }) =>
    operation.security.flat().map((name) => {
      const scheme = document.components?.securitySchemes?.[name]
      return [name, Object.keys((scheme && 'flows' in scheme && scheme.flows) || {})] as const
    }),
  )
  const kept = new Map(now)
  return was.some(([name, flows]) => {
    const others = kept.get(name) ?? []
    return flows.length > 0 && others.length > 0 && !flows.some((flow) => others.includes(flow))
  })
}

interface Way {
  names: readonly string[]
  kinds: readonly string[]
  scopes: readonly (readonly [scheme: string, scope: string])[]
}

/** The ways to authenticate, each with the kinds of credentials, and the scopes by the name of their scheme. */
function waysOf({ value, operation: { security }, version: { document, contract } }: VersionOperation): Way[] {
  const written: unknown = value.security ?? document.security
  const requirements = (Array.isArray(written) ? written : []).filter(isObject)
  const ways: string[][] = security.length === 0 ? [[]] : security
  return ways.map((names, index) => ({
    names,
    kinds: kindsOf(names.flatMap((name) => contract.schemes[name] ?? [])).map(toSent),
    scopes: names.flatMap((name) =>
      [requirements[index]?.[name] ?? []].flat().map((scope) => [name, String(scope)] as const),
    ),
  }))
}

/** All of these send a token in the same header. */
function toSent(kind: string): string {
  if (/^(?:oauth2|openIdConnect)$/i.test(kind)) return 'bearer'
  // Names of headers have no case (RFC 9110, section 5.1).
  return kind.startsWith('header ') ? kind.toLowerCase() : kind
}

function listKinds(ways: readonly Way[]): string {
  return ways.map(({ kinds }) => kinds.join(' and ') || 'a request without credentials').join(' or ')
}

/** Whether both are equal but for the names of parameters. */
function isSamePath(one: string, other: string): boolean {
  const plain = (url: string) => withoutNames(url).replace(/\/$/, '')
  return plain(one) === plain(other)
}

function urlsOf({ servers }: Contract, operation: Operation): string[] {
  return servers.filter(({ name }) => operation.servers.includes(name)).map(({ url }) => url)
}
