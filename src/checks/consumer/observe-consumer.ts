/** Analyzes a consumer's requests: findings by rules, and coverage of the contract. */
import type { OpenApiDocument } from '../../compile/document.js'
import type { Exchange } from '../../state/journal.js'
import type { Coverage } from '../report.js'
import { createCoverage } from './coverage.js'
import { createJudge, type Judge, type JudgeOptions } from './create-judge.js'
import { wordsIn } from './violated-places.js'

export interface ConsumerOptions extends Omit<JudgeOptions, 'documentedNames'> {
  document: OpenApiDocument
}

export interface ConsumerObserver extends Omit<Judge, 'add'> {
  add(exchange: Exchange): void
  coverage(): Coverage
}

/** Creates an observer without exchanges. Add each exchange when it is complete. */
export function observeConsumer({ document, ...options }: ConsumerOptions): ConsumerObserver {
  const judge = createJudge({ ...options, documentedNames: wordsIn(document) })
  const coverage = createCoverage(options.contract, document)
  return { ...judge, add: (exchange) => coverage.add(judge.add(exchange)), coverage: coverage.toData }
}
