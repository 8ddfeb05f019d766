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
    const was = alternativesOf(old.version.contract, old.operation)
    const now = alternativesOf(next.version.contract, next.operation)
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
    const known = scopesOf(old)
    const added = [...scopesOf(next)].filter((scope) => !known.has(scope))
    if (added.length === 0) return
    yield {
      at: 'credentials',
      kind: 'scope',
      message: `It needs ${added.join(', ')}`,
      impact: use?.credentials.some((kind) => kind !== 'none') ? 'maybe' : 'unused',
    }
  },
}

/** The scopes of all ways to authenticate. */
function scopesOf({ value, version: { document } }: VersionOperation): Set<string> {
  const written: unknown = value.security ?? document.security
  return new Set(
    (Array.isArray(written) ? written : []).flatMap((requirement) =>
      isObject(requirement) ? (Object.values(requirement).flat() as string[]) : [],
    ),
  )
}

/** The ways to authenticate, each as the kinds of credentials that it needs. */
function alternativesOf({ schemes }: Contract, { security }: Operation): string[][] {
  if (security.length === 0) return [[]]
  return security.map((names) => kindsOf(names.flatMap((name) => schemes[name] ?? [])).map(toSent))
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
