/** The rule about what no other rule can judge, so that a comparison that passed has compared everything. */

import type { OpenApiDocument, SecuritySchemeObject } from '../../../compile/document.js'
import { oncePer } from '../../../compile/once.js'
import { resolve } from '../../../compile/references.js'
import { isObject } from '../../../json/own-value.js'
import type { ChangeRule, Impact, VersionOperation } from '../change-rule.js'
import { membersOf } from '../pair-values.js'
import { differencesOf, restOf } from '../same-schemas.js'

export const notCompared: ChangeRule = {
  id: 'not-compared',
  severity: 'error',
  looksAt: 'a part that differs and that no other rule looks at, such as `not` or `encoding`, or that is too large',
  help: 'Compare both versions of it yourself, then add it to the baseline',
  *find(pairs) {
    const { old, next, use, toSign } = pairs
    for (const pair of [...pairs.sent(), ...pairs.answered()]) {
      const { uncompared, at, nextPath } = pair
      if (uncompared === undefined) continue
      const names = uncompared.map(({ name }) => name).join(', ')
      const isUsed = 'use' in pair ? pair.use() !== 'unused' : [...pair.classes()].some((kind) => kind !== 'absent')
      yield {
        at,
        kind: names,
        message: `Not compared: ${names}`,
        help: helpWith(uncompared),
        impact: isUsed ? 'maybe' : 'unused',
        place: { of: 'next', path: nextPath },
      }
    }
    if (!old || !next) return
    const [one = [], other = []] = [old, next].map((each) => [
      ...membersOf(each.version.document),
      ...generalOf(each).filter((general) => 'mutualTLS' in general),
    ])
    const whole = differencesOf(one, other, toSign)
    for (const each of [...whole, ...differencesOf(generalOf(old), generalOf(next), toSign, true)]) {
      // A lock has no webhooks.
      const impact: Impact = use?.isCalled || /^webhook /.test(each.name) ? 'maybe' : 'unused'
      const message = `Not compared: ${each.name}`
      yield { at: '', kind: each.name, message, help: helpWith([each]), isGeneral: true, impact }
    }
  },
}

function helpWith(all: readonly { values?: string }[]): string {
  return [...all.flatMap(({ values = [] }) => values), notCompared.help].join('. ')
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
