/** Rules about the called operation: it must be documented, and should not be deprecated, removed or unstable. */
import type { Operation } from '../../../contract/contract.js'
import type { ConsumerRule } from '../consumer-rule.js'
import type { Use } from '../lock.js'

const undocumentedPath: ConsumerRule = {
  id: 'undocumented-path',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.8',
  looksAt: 'a call of an undocumented path',
  help: 'Call a documented path, below the base address of one of the servers',
  isExpectable: true,
  *find({ exchange, operation, message }) {
    if (operation || exchange.refused !== 'not_found') return
    yield { at: '', message: message ?? 'The document has no such path' }
  },
}

const undocumentedMethod: ConsumerRule = {
  id: 'undocumented-method',
  severity: 'error',
  restsOn: 'OpenAPI 3.1, section 4.8.9',
  looksAt: 'a call of a documented path with an undocumented method',
  help: 'Use a method that is documented for this path',
  isExpectable: true,
  *find({ exchange, operation, message }) {
    if (operation || exchange.refused !== 'method_not_allowed') return
    yield { at: '', message: message ?? `The document has no ${exchange.request.method} for this path` }
  },
}

const day = 24 * 60 * 60 * 1000

const deprecatedOperation: ConsumerRule = {
  id: 'deprecated-operation',
  severity: 'warning',
  restsOn: 'OpenAPI 3.1, section 4.8.10',
  looksAt: 'a call of a deprecated operation',
  help: 'Stop calling it: callers should not use a deprecated operation (OpenAPI, Operation Object)',
  isExpectable: false,
  *find({ exchange, operation, sunsetWithin, lostProperties }) {
    if (!operation?.lifecycle.deprecated || exchange.refused === 'removed') return
    const { sunset } = operation.lifecycle
    const isNear = sunset !== undefined && sunsetWithin !== undefined && sunset - exchange.at <= sunsetWithin
    const left = Math.ceil(((sunset ?? 0) - exchange.at) / day)
    const inDays = left > 0 ? `in ${left} day${left === 1 ? '' : 's'}` : 'which is in the past'
    const until = sunset === undefined ? '' : ` and ends on ${dateOf(sunset)}, ${inDays}`
    yield {
      at: '',
      message: `${operation.id} is deprecated${until}`,
      ...successorHelp(operation, lostProperties),
      ...(isNear && { severity: 'error' }),
    }
  },
}

const removedOperation: ConsumerRule = {
  id: 'removed-operation',
  severity: 'error',
  restsOn: 'RFC 8594, section 3',
  looksAt: 'a call of an operation after its sunset',
  help: 'Stop calling it; mark a test of its removal with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *find({ exchange, operation, message }) {
    if (!operation || exchange.refused !== 'removed') return
    const { sunset } = operation.lifecycle
    const removed = `${operation.id} was removed${sunset === undefined ? '' : ` on ${dateOf(sunset)}`}`
    yield { at: '', message: message ?? removed, ...successorHelp(operation) }
  },
}

/** UTC date of a time in milliseconds: `2030-12-05`. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** E.g. `Use GET /xs with its "status" filter instead`; empty if the document names no successor. */
export function successorHelp(
  { lifecycle: { successor } }: Operation,
  lost: readonly string[] = [],
): { help?: string } {
  if (!successor) return {}
  const filters = successor.filters.map((filter) => `"${filter}"`).join(' and ')
  const filtered = filters === '' ? '' : ` with its ${filters} filter`
  const lacks = lost.length === 0 ? '' : `; its answer lacks ${lost.join(', ')}`
  return { help: `Use ${successor.method} ${successor.path}${filtered} instead${lacks}` }
}

const unstableOperation: ConsumerRule = {
  id: 'unstable-operation',
  severity: 'warning',
  restsOn: 'the document: x-stability-level',
  looksAt: 'a call of an operation that is marked experimental or beta',
  help: 'Expect changes without notice, or wait until it is stable',
  isExpectable: false,
  *find({ operation }) {
    const { stability } = operation?.lifecycle ?? {}
    if (!operation || stability === undefined || stability === 'stable') return
    yield { at: '', message: `${operation.id} is marked ${stability}: it may change or be removed without notice` }
  },
}

export const pathRules: readonly ConsumerRule[] = [undocumentedPath, undocumentedMethod]

export const lifecycleRules: readonly ConsumerRule[] = [deprecatedOperation, removedOperation, unstableOperation]

export const newUsage: ConsumerRule = {
  id: 'new-usage',
  severity: 'warning',
  restsOn: 'the document: what the lock has of it',
  looksAt: 'a use of the service that the lock does not have (with --lock)',
  help: 'If it is intended, add --update-lock once',
  isExpectable: false,
  *find({ newUses, operation }) {
    for (const use of newUses) {
      const { part, at, kind } = use
      const place = part === 'parameter' ? at : `${part} ${at}`
      const isUnneeded = part === 'credentials' && operation?.security.length === 0
      yield {
        at: part === 'operation' ? '' : place.trim(),
        ...(kind === '' ? {} : { kind }),
        message: `${describeUse(use)}; the lock does not have this`,
        ...(isUnneeded && { severity: 'info' }),
      }
    }
  },
}

/** About tests: it finds nothing in a call. */
export const newFailure: ConsumerRule = {
  id: 'new-failure',
  severity: 'error',
  restsOn: 'the document: the next version',
  looksAt: 'a test that passes with the present document and fails with the next one (with --against)',
  help: 'Change what the test covers before the service changes',
  isExpectable: false,
  find: () => [],
}

/** About the team's own code for the sandbox, not about the consumer. */
export const overrideResponse: ConsumerRule = {
  id: 'override-response',
  severity: 'error',
  restsOn: 'the document: responses',
  looksAt: 'an answer of an override that the document does not allow',
  help: 'Answer as the document says, or change the document',
  isExpectable: false,
  *find({ exchange: { cause } }) {
    if (cause?.kind !== 'override') return
    const { at = 'the override', broken = [] } = cause
    for (const why of broken) yield { at: '', message: `${at}: ${why}` }
  },
}

const classes: Record<string, string> = {
  absent: 'is left out',
  null: 'is null',
  fraction: 'is a fraction',
  other: 'has another value',
  several: 'has several items',
  repeated: 'has an item twice',
}

/** What the consumer does, as a sentence without a full stop. */
export function describeUse({ operation, part, at, kind }: Use): string {
  const value = classes[kind] ?? `is ${kind.replace(/^=/, '')}`
  if (part === 'operation') return `${operation} is called`
  if (part === 'parameter') return `${operation}: ${at} ${value}`
  if (part === 'body') return `${operation}: ${at} in the body ${value}`
  if (part === 'type' && kind === 'absent') return `${operation}: the body is left out`
  if (part === 'type') return `${operation}: the body has the type ${kind}`
  if (part === 'credentials') return `${operation}: the credentials are ${kind}`
  if (part === 'response') return `${operation}: the answer is ${`${at} ${kind}`.trim()}`
  return `${operation}: the answer ${at} is returned`
}
