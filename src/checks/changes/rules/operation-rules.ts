/** What changes for whole operations: how long they are there, where, and with which credentials. */
import type { Contract, Operation } from '../../../contract/contract.js'
import { isObject } from '../../../json/own-value.js'
import { dateOf, successorHelp } from '../../consumer/rules/operation-rules.js'
import { kindsOf } from '../../consumer/sent-credentials.js'
import type { Change, Impact, OperationPair, VersionOperation } from '../change.js'
import { withoutNames } from '../operation-use.js'

export function* operationChanges(pair: OperationPair): Generator<Change> {
  const { old, next, use } = pair
  const impact: Impact = use?.isCalled ? 'yours' : 'unused'
  if (old.template.path.endsWith('/') !== next.template.path.endsWith('/')) {
    yield { rule: 'operation-removed', at: '', kind: 'slash', message: `It is at ${next.path} now`, impact }
  }
  yield* deprecation(pair, impact)
  yield* credentialChanges(pair)
  const urls = urlsOf(next.version.contract, next.operation)
  const targets = urls.map((url) => url + next.template.path)
  for (const url of urlsOf(old.version.contract, old.operation)) {
    // A part of the path may move to the address.
    if (targets.some((target) => isSamePath(target, url + old.template.path))) continue
    const message = `The address ${url || '/'} is gone; documented: ${urls.map((each) => each || '/').join(', ')}`
    yield { rule: 'server-changed', at: '', kind: url, message, isGeneral: true, impact }
  }
}

function* deprecation({ old, next, sunsetBefore, lostProperties }: OperationPair, impact: Impact): Generator<Change> {
  const { lifecycle: was } = old.operation
  const { deprecated, sunset } = next.operation.lifecycle
  const isNear = sunset !== undefined && sunsetBefore !== undefined && sunset <= sunsetBefore
  const isEarlier = sunset !== undefined && (was.sunset === undefined || sunset < was.sunset)
  if (!isNear && !isEarlier && (!deprecated || was.deprecated)) return
  yield {
    rule: 'operation-deprecated',
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
      rule: 'credentials-changed',
      at: 'credentials',
      message: `${listKinds(refused)} is not enough any more; accepted: ${listKinds(now)}`,
      impact: ours?.some(isRefused) ? 'yours' : 'unused',
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
      rule: 'scope-added',
      at: 'credentials',
      kind: 'scope',
      message: `A token of ${schemes} needs ${first.map(([, scope]) => scope).join(', ')}`,
      impact: use?.credentials.some((kind) => kind !== 'none') ? 'maybe' : 'unused',
    }
  }
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
