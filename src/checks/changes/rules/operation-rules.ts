/** Rules about whole operations: which there are, how long, where, and with which credentials. */
import type { Contract, Operation } from '../../../contract/contract.js'
import { isObject } from '../../../json/own-value.js'
import { dateOf, successorHelp } from '../../consumer/rules/operation-rules.js'
import { kindsOf } from '../../consumer/sent-credentials.js'
import type { ChangeRule, VersionOperation } from '../change-rule.js'
import { withoutNames } from '../operation-use.js'

export const operationRemoved: ChangeRule = {
  id: 'operation-removed',
  severity: 'error',
  looksAt: 'an operation that the next version does not have',
  help: 'Call another operation before you move to the next version',
  *find({ old, next, use, lostProperties }) {
    if (!old) return
    if (next && endsInSlash(old) !== endsInSlash(next)) {
      yield { at: '', kind: 'slash', message: `It is at ${next.path} now`, impact: use?.isCalled ? 'yours' : 'unused' }
    }
    if (next) return
    yield {
      at: '',
      message: `${old.method} ${old.path} is gone`,
      ...successorHelp(old.operation, lostProperties()),
      impact: use?.isCalled ? 'yours' : 'unused',
    }
  },
}

function endsInSlash({ template }: VersionOperation): boolean {
  return template.path.endsWith('/')
}

export const operationAdded: ChangeRule = {
  id: 'operation-added',
  severity: 'info',
  looksAt: 'an operation that only the next version has',
  help: 'Nothing needs to be done',
  *find({ old, next }) {
    if (!old && next) yield { at: '', message: `${next.method} ${next.path} is new` }
  },
}

export const operationDeprecated: ChangeRule = {
  id: 'operation-deprecated',
  severity: 'warning',
  looksAt: 'an operation that the next version deprecates or ends earlier (an error with --sunset-within)',
  help: 'Stop calling it before it ends',
  *find({ old, next, use, sunsetBefore, lostProperties }) {
    if (!old || !next) return
    const { lifecycle: was } = old.operation
    const { deprecated, sunset } = next.operation.lifecycle
    const isNear = sunset !== undefined && sunsetBefore !== undefined && sunset <= sunsetBefore
    const isEarlier = sunset !== undefined && (was.sunset === undefined || sunset < was.sunset)
    if (!isNear && !isEarlier && (!deprecated || was.deprecated)) return
    const until = sunset === undefined ? '' : ` and ends on ${dateOf(sunset)}`
    yield {
      at: '',
      message: `It is deprecated${until}`,
      ...successorHelp(next.operation, lostProperties()),
      ...(isNear && { severity: 'error' }),
      impact: use?.isCalled ? 'yours' : 'unused',
    }
  },
}

export const serverChanged: ChangeRule = {
  id: 'server-changed',
  severity: 'warning',
  looksAt: 'an address of the service that the next version does not have',
  help: 'Configure the new address',
  *find({ old, next, use }) {
    if (!old || !next) return
    const urls = urlsOf(next.version.contract, next.operation)
    const targets = urls.map((url) => url + next.template.path)
    for (const url of urlsOf(old.version.contract, old.operation)) {
      // A part of the path may move to the address.
      if (targets.some((target) => isSamePath(target, url + old.template.path))) continue
      yield {
        at: '',
        kind: url,
        message: `The address ${url || '/'} is gone; documented: ${urls.map((each) => each || '/').join(', ')}`,
        isGeneral: true,
        impact: use?.isCalled ? 'yours' : 'unused',
      }
    }
  },
}

export const credentialsChanged: ChangeRule = {
  id: 'credentials-changed',
  severity: 'error',
  looksAt: 'credentials that were accepted, and are not in the next version',
  help: 'Send credentials that the next version accepts',
  *find({ old, next, use }) {
    if (!old || !next) return
    const was = alternativesOf(old).map(({ kinds }) => kinds)
    const now = alternativesOf(next).map(({ kinds }) => kinds)
    const isAccepted = (sent: readonly string[]) => now.some((kinds) => kinds.every((kind) => sent.includes(kind)))
    const refused = was.filter((sent) => !isAccepted(sent))
    if (refused.length === 0) return
    const ours = use?.credentials.map((kind) => (kind === 'none' ? [] : kind.split(' and ').map(toSent)))
    yield {
      at: 'credentials',
      message: `${listKinds(refused)} is not enough any more; accepted: ${listKinds(now)}`,
      impact: ours?.some((sent) => !isAccepted(sent)) ? 'yours' : 'unused',
    }
  },
}

export const scopeAdded: ChangeRule = {
  id: 'scope-added',
  severity: 'warning',
  looksAt: 'a scope that only the next version requires of a token',
  help: 'Request tokens with this scope',
  *find({ old, next, use }) {
    if (!old || !next) return
    const now = alternativesOf(next)
    for (const { names, kinds, scopes } of alternativesOf(old)) {
      const accepting = now.filter((each) => each.kinds.every((kind) => kinds.includes(kind)))
      const same = accepting.filter((each) => each.names.join() === names.join())
      // Of the ways that take the same credentials, one without new scopes is enough.
      const added = (same.length > 0 ? same : accepting).map((each) =>
        each.scopes.filter(([, scope]) => !scopes.some(([, known]) => known === scope)),
      )
      const [first] = added.sort((one, other) => one.length - other.length)
      if (!first || first.length === 0) continue
      const schemes = [...new Set(first.map(([name]) => name))].join(' and ')
      yield {
        at: 'credentials',
        kind: 'scope',
        message: `A token of ${schemes} needs ${first.map(([, scope]) => scope).join(', ')}`,
        impact: use?.credentials.some((kind) => kind !== 'none') ? 'maybe' : 'unused',
      }
    }
  },
}

/** The ways to authenticate, each with the kinds of credentials, and the scopes by the name of their scheme. */
function alternativesOf({ value, operation: { security }, version: { document, contract } }: VersionOperation) {
  const written: unknown = value.security ?? document.security
  const requirements = (Array.isArray(written) ? written : []).filter(isObject)
  const ways: string[][] = security.length === 0 ? [[]] : security
  return ways.map((names, index) => ({
    names,
    kinds: kindsOf(names.flatMap((name) => contract.schemes[name] ?? [])).map(toSent),
    scopes: names.flatMap((name) =>
      [requirements[index]?.[name] ?? []].flat().map((scope): [string, string] => [name, String(scope)]),
    ),
  }))
}

/** All of these send a token in the same header. */
function toSent(kind: string): string {
  if (/^(?:oauth2|openIdConnect)$/i.test(kind)) return 'bearer'
  // Names of headers have no case (RFC 9110, section 5.1).
  return kind.startsWith('header ') ? kind.toLowerCase() : kind
}

function listKinds(alternatives: readonly string[][]): string {
  return alternatives.map((kinds) => kinds.join(' and ') || 'a request without credentials').join(' or ')
}

/** Whether both are equal but for the names of parameters. */
function isSamePath(one: string, other: string): boolean {
  const plain = (url: string) => withoutNames(url).replace(/\/$/, '')
  return plain(one) === plain(other)
}

function urlsOf({ servers }: Contract, operation: Operation): string[] {
  return servers.filter(({ name }) => operation.servers.includes(name)).map(({ url }) => url)
}

export const operationRules: readonly ChangeRule[] = [
  operationRemoved,
  operationDeprecated,
  credentialsChanged,
  scopeAdded,
  serverChanged,
  operationAdded,
]
