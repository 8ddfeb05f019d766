/** What no other rule can judge, so that a comparison that passed has compared everything. */
import type { OpenApiDocument, SecuritySchemeObject } from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { resolve } from '../../../document/references.js'
import { isObject } from '../../../json/own-value.js'
import type { Rule } from '../../finding.js'
import type { Change, ChangeFamily, Impact, OperationPair, ValuePair, VersionOperation } from '../change.js'
import { membersOf } from '../pair-parts.js'
import { differencesOf, restOf, type Uncompared } from '../same-schemas.js'

export const notCompared: Rule = {
  id: 'not-compared',
  severity: 'error',
  restsOn: 'the document: any other part',
  looksAt: 'a part that differs and that no other rule looks at, such as `not` or `encoding`, or that is too large',
  help: 'Compare both versions of it yourself, then add it to the baseline',
}

export const notComparedFamily: ChangeFamily = { rules: [notCompared], find: generalChanges }

/** What was not compared at a place. */
export function* uncomparedAt({ at, uncompared, nextPath }: ValuePair, impact: Impact): Generator<Change> {
  if (uncompared.length > 0) yield { ...toChange(at, uncompared, impact), place: { of: 'next', path: nextPath } }
}

/** What is outside of operations. */
function* generalChanges({ old, next, use, comparison: { toSign } }: OperationPair): Generator<Change> {
  const [one = [], other = []] = [old, next].map((each) => [
    ...membersOf(each.version.document),
    ...generalOf(each).filter((general) => 'mutualTLS' in general),
  ])
  const whole = differencesOf(one, other, toSign)
  for (const each of [...whole, ...differencesOf(generalOf(old), generalOf(next), toSign, true)]) {
    // A lock has no webhooks.
    const isUsed = use?.isCalled === true || /^webhook /.test(each.name)
    yield { ...toChange('', [each], isUsed ? 'maybe' : 'unused'), isGeneral: true }
  }
}

function toChange(at: string, all: readonly Uncompared[], impact: Impact): Change {
  const kind = all.map(({ name }) => name).join(', ')
  const help = [...all.flatMap(({ values = [] }) => values), notCompared.help].join('. ')
  return { rule: notCompared, at, kind, message: `Not compared: ${kind}`, help, impact }
}
/** What is outside of operations, of which only a loss matters: webhooks, values of servers, and where tokens are issued. */
function generalOf({ version: { document }, value, servers }: VersionOperation): object[] {
  const security = (value.security ?? document.security ?? []).flatMap(Object.keys)
  return [
    ...webhooksOf(document),
    ...servers.flatMap(({ variables = {} }) =>
      Object.entries(variables).flatMap(([name, { enum: values = [] }]) =>
        values.map((value) => ({ [`server variable ${name}`]: value })),
      ),
    ),
    ...[...new Set(security)].flatMap((name) => schemesOf(document).get(name) ?? []),
  ]
}

const webhooksOf = oncePer(({ webhooks = {} }: OpenApiDocument) =>
  Object.entries(webhooks).map(([name, webhook]) => ({ [`webhook ${name}`]: webhook })),
)

/** The members of security schemes by the name of the scheme, each alone. Their kinds are compared with those of requests. */
const schemesOf = oncePer(
  (document: OpenApiDocument) =>
    new Map(
      Object.entries(document.components?.securitySchemes ?? {}).map(([name, written]) => {
        const { value } = resolve<SecuritySchemeObject>(document, written, ['components', 'securitySchemes', name])
        // Requests do not show a certificate.
        const isTls = value.type === 'mutualTLS'
        return [name, isTls ? [{ mutualTLS: 'required' }] : [...leavesOf(value, String(value.type))]]
      }),
    ),
)

const comparedMembers = new Set(['type', 'scheme', 'in', 'name', 'bearerFormat'])

function* leavesOf(value: object, name: string): Generator<object> {
  for (const [key, inner] of restOf(value, comparedMembers).flatMap(Object.entries)) {
    if (!isObject(inner)) yield { [`${name} ${key}`]: inner }
    else if (key !== 'scopes') yield* leavesOf(inner, `${name} ${key}`)
    else yield* Object.keys(inner).map((scope) => ({ [`${name} scope ${scope}`]: 'documented' }))
  }
}
