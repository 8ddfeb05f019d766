/** What words mean: each question of the lexicon with names that decide it. */
import { describe, expect, it } from 'vitest'
import * as stages from '../../src/lexicon/stages.js'

type Question = (name: string) => unknown

function decide(question: string, ask: Question, cases: Record<string, unknown>): void {
  describe(question, () => {
    it.each(Object.entries(cases))('%s', (name, answer) => {
      expect(ask(name)).toEqual(answer)
    })
  })
}

// A job that has succeeded has not begun, and is not new, whatever word says so.
decide('isCaused', stages.isCaused, { successful: true, succeeded: true, processed: false, pending: false })
decide('isQueued', stages.isQueued, { accepted: true, draft: false, NotStarted: true, not_started: true })
decide('isUnderWay', stages.isUnderWay, {
  importing_files: true,
  processing: true,
  importing_data: false,
  queued: false,
})
decide('isFailure', stages.isFailure, { UNSUCCESSFUL: true, payment_failed: true, cancelled: false })
decide('isFailed', stages.isFailed, { cancelled: true, unsuccessful: true, active: false })
decide('isOwnStateName', stages.isOwnStateName, { paymentState: true, last_status: false, statement: false })
decide('isOpenFlag', stages.isOpenFlag, { is_public: true, sendEmail: true, archived: false })
