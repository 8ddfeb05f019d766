/** What words mean: each question of the lexicon with names that decide it. */
import { describe, expect, it } from 'vitest'
import * as keys from '../../src/lexicon/keys.js'
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

// One table of keys decides for requests, answers, filters and generated data.
decide('isId', keys.isId, {
  id: true,
  _id: true,
  ID: true,
  uid: true,
  gid: true,
  key: false,
  identity: false,
  paid: false,
})
decide('isKey', keys.isKey, { key: true, arn: true, code: false, number: false, name: false })
decide('mayIdentify', keys.mayIdentify, { code: true, number: true, slug: true, name: false, token: false })
decide('mayFind', keys.mayFind, { username: true, slug: true, title: false })
decide('isOfAny', keys.isOfAny, { type: true, name: true, guid: true, book_id: false })
decide('endsLikeKey', keys.endsLikeKey, {
  billing_account_id: true,
  tagIds: true,
  countryCode: true,
  invalid: false,
  prepaid: false,
  accountName: false,
})
decide('isKeyList', keys.isKeyList, { ids: true, keys: true, names: true, id: false, status: false })
decide('isOfRequest', keys.isOfRequest, { requestId: true, requested_by: false, idempotencyKey: true })
decide('isOfAnswer', keys.isOfAnswer, { http_status_code: true, errorCode: true, statusDate: false })
decide('mayIdentifyOwn', keys.mayIdentifyOwn, { jobKey: true, parentId: false, id: false, errorCode: false })
decide('endsLikeSecret', keys.endsLikeSecret, { clientSecret: true, api_key: true, monkey: false })
