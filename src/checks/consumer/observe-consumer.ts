/** Analyzes a consumer's requests: findings by rules, coverage of the contract, and what they use of it. */
import type { OpenApiDocument } from '../../document/document.js'
import type { Exchange } from '../../state/journal.js'
import type { Coverage } from '../report.js'
import type { Call } from './consumer-rule.js'
import { createCoverage } from './coverage.js'
import { createJudge, type Judge, type JudgeOptions } from './create-judge.js'
import { isSentValue, keyOf, type Lock, type Use } from './lock.js'
import { createLostProperties } from './lost-properties.js'
import { wordsIn } from './places.js'
import { createUsage } from './usage.js'

export interface ConsumerOptions extends Omit<JudgeOptions, 'documentedNames' | 'compareWithLock'> {
  document: OpenApiDocument
  /** What the consumer may use without a finding. Undefined if no lock is compared or written. */
  lock?: (Lock & { isToBeUpdated?: boolean }) | undefined
  /** Whether sent values are kept in the lock. @default true */
  keepsValues?: boolean | undefined
  /** Called with what each call uses. */
  onUses?: ((exchange: Exchange, uses: readonly Use[]) => void) | undefined
}

export interface ConsumerObserver extends Omit<Judge, 'add'> {
  add(exchange: Exchange): void
  coverage(): Coverage
  /** What the calls use. Empty without a lock or `onUses`. */
  uses(): Use[]
}

/** Creates an observer without exchanges. Add each exchange when it is complete. */
export function observeConsumer({
  document,
  lock,
  onUses,
  keepsValues = true,
  ...options
}: ConsumerOptions): ConsumerObserver {
  const usage = (lock || onUses) && createUsage(document, keepsValues)
  const known = new Set(lock?.uses.map(keyOf))
  const called = new Set(lock?.uses.map(({ operation }) => operation))
  const places = new Set(lock?.uses.map(placeOf))
  const judge = createJudge({
    ...options,
    documentedNames: wordsIn(document),
    ...(usage && {
      compareWithLock(call) {
        const uses = usage.add(call)
        onUses?.(call.exchange, uses)
        return { newUses: findNew(call, uses), lostProperties: findLost(call) }
      },
    }),
  })
  const coverage = createCoverage(options.contract, document)

  function findNew({ operation }: Call, uses: readonly Use[]): Use[] {
    if (!operation || !lock || lock.isToBeUpdated) return []
    const name = `${operation.method} ${operation.path}`
    if (!called.has(name)) return [{ operation: name, part: 'operation', at: '', kind: '' }]
    // What is returned depends on the service, and to leave out what was never sent is nothing new.
    const isNoted = (use: Use) => use.part !== 'returned' && (use.kind !== 'absent' || places.has(placeOf(use)))
    return uses.filter((use) => isNoted(use) && !isSentValue(use.kind) && !known.has(keyOf(use)))
  }

  const findLost = createLostProperties(document, lock)

  return {
    ...judge,
    add: (exchange) => coverage.add(judge.add(exchange)),
    coverage: coverage.toData,
    uses: () => usage?.all() ?? [],
  }
}

function placeOf(use: Use): string {
  return keyOf({ ...use, kind: '' })
}
