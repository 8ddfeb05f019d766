/** Rules of options: what a consumer should know when it begins to use another part, or another version, of a service. */
import type { ConsumerRule } from '../consumer-rule.js'
import type { Use } from '../lock.js'

export const newUsage: ConsumerRule = {
  id: 'new-usage',
  severity: 'warning',
  looksAt: 'a use of the service that the lock does not have (with --lock)',
  help: 'If it is intended, add --update-lock once',
  isExpectable: false,
  *find({ newUses }) {
    for (const use of newUses) {
      const { part, at, kind } = use
      const place = part === 'parameter' ? at : `${part} ${at}`
      yield {
        at: part === 'operation' ? '' : place.trim(),
        ...(kind === '' ? {} : { kind }),
        message: `${describeUse(use)}; the lock does not have this`,
      }
    }
  },
}

/** About tests: it finds nothing in a call. */
export const newFailure: ConsumerRule = {
  id: 'new-failure',
  severity: 'error',
  looksAt: 'a test that passes with the present document and fails with the next one (with --against)',
  help: 'Change what the test covers before the service changes',
  isExpectable: false,
  find: () => [],
}

const classes: Record<string, string> = {
  absent: 'is left out',
  null: 'is null',
  fraction: 'is a fraction',
  other: 'has another value',
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
