/** What words mean: each question of the lexicon with names that decide it. */
import { describe, expect, it } from 'vitest'
import { inPossibleState } from '../../src/generate/possible-state.js'
import * as conditions from '../../src/lexicon/conditions.js'
import { environmentOf, serverWords } from '../../src/lexicon/environments.js'
import { isErrorName, saysError, saysInvalid, saysUnreadable } from '../../src/lexicon/errors-in-texts.js'
import * as events from '../../src/lexicon/events.js'
import { isEntityTag, isIdempotencyKey, isSignature } from '../../src/lexicon/headers.js'
import * as keys from '../../src/lexicon/keys.js'
import * as orders from '../../src/lexicon/orders.js'
import * as pages from '../../src/lexicon/pages.js'
import * as texts from '../../src/lexicon/parameter-texts.js'
import { hasRole, orderMember, type ParameterRole } from '../../src/lexicon/parameters.js'
import { isCalledBy, isKeyOf, isSpokenKey, recordOfKey } from '../../src/lexicon/record-names.js'
import { blockingIn, statesNeeded } from '../../src/lexicon/refusals.js'
import * as stages from '../../src/lexicon/stages.js'
import * as verbs from '../../src/lexicon/verbs.js'

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
decide('endsLikeSecret', keys.endsLikeSecret, { clientSecret: true, api_key: true, apikey: true, monkey: false })
decide('isOfKey', keys.isOfKey, { '': true, id: true, name: true, type: false })
decide('mayShowKeys', keys.mayShowKeys, { userids: true, UserId: true, title: false })
decide('isResetting', verbs.isResetting, { unblock: true, unfollow: false, unsubscribe: false })
decide('isSwitching', verbs.isSwitching, { unfollow: true, stop: false })
decide('isRepeating', verbs.isRepeating, { resend: true, clone: true, send: false })

const roles: ParameterRole[] = ['size', 'page', 'offset', 'cursor', 'after', 'before', 'sort', 'direction', 'search']

it.each([
  ['pageSize', ['size']],
  ['page[number]', ['page']],
  ['start', ['offset']],
  ['after', ['cursor', 'after']],
  ['order', ['sort', 'direction']],
  ['q', ['search']],
  ['status', []],
])('the parameter %s has roles: %j', (name, expected) => {
  expect(roles.filter((role) => hasRole(name, role))).toEqual(expected)
})

const byPage = { hasPages: true, hasNumber: true, hasCursor: false }
const byCursor = { hasPages: true, hasNumber: false, hasCursor: true }
const whole = { hasPages: false, hasNumber: false, hasCursor: false }

it.each([
  ['a number', pages.numberOf('total_count', byPage), 'total'],
  ['a number with the name of a page', pages.numberOf('next', byPage), 'nextPage'],
  ['the same number beside a cursor', pages.numberOf('next', byCursor), 'nextOffset'],
  ['a number in a list without pages', pages.numberOf('number', whole), undefined],
  ['a number with the name of its list', pages.countsAll('lampsCount', 'lamps'), true],
  ['a number with another name', pages.countsAll('shadesCount', 'lamps'), false],
  ['a boolean', pages.flagOf('hasMore'), 'hasNext'],
  ['a text', pages.textOf('nextPageToken', byCursor), 'nextCursor'],
  ['a text beside page numbers', pages.textOf('next_page', byPage), 'nextPage'],
  ['a link', pages.linkOf('nextLink', ''), 'nextUrl'],
  ['a link in an object', pages.linkOf('href', 'previous'), 'previousUrl'],
  ['a link of OData', pages.linkOf('@odata.nextLink', ''), 'nextUrl'],
  ['a header', pages.headerFact('X-Total-Count'), 'total'],
])('%s says of a page', (_, answer, expected) => {
  expect(answer).toBe(expected)
})

it.each([
  // A default order by a property whose name only begins like a direction.
  ['description', undefined, 'description'],
  ['ascent', undefined, 'ascent'],
  ['description:asc', 'ascending', 'description'],
  ['-created', 'descending', 'created'],
  ['created_desc', 'descending', 'created'],
  ['ascending', 'ascending', ''],
  ['name', undefined, 'name'],
])('the order %j has the direction %s and the property %j', (text, direction, property) => {
  expect([orders.directionIn(text), orders.withoutDirection(text)]).toEqual([direction, property])
})

it.each([
  ['descriptions are no directions', orders.isDirection('description'), false],
  ['ascending', orders.isDirection('ascending'), true],
  ['minus one', orders.isDirection('-1'), true],
  // A member of an order may be a flag, as a parameter may.
  ['an order member that is a flag', orderMember('direction'), 'direction'],
  ['an order member with a property', orderMember('field_name'), 'sort'],
  ['newest', orders.saysFirst('Posts, most recent first.'), 'newest'],
  ['an order', orders.saysOrder('Sorted by `name` in ascending order'), { property: 'name', isDescending: false }],
  // Members of an object compare as the words of a parameter do.
  ['a comparing member', conditions.memberComparison('minimum'), 'minimum'],
  ['an equal member', conditions.memberComparison('exact'), 'eq'],
  ['a word of a parameter', conditions.comparisonOf('value'), undefined],
  ['values of all records', conditions.isParticular('all'), false],
  ['values without a record', conditions.isParticular('none'), false],
  ['a value', conditions.isParticular('open'), true],
  ['parts of texts', conditions.saysPart('Names that contain this text'), true],
  ['an unset word', conditions.saysUnset('`none` for issues without a milestone'), 'none'],
  ['times without a name', conditions.timesMeant(['since'], '')[0], 'updatedat'],
  ['a default', texts.saysDefault('Page size. Defaults to 20'), 20],
  ['a size', texts.saysSize('Up to 100 contacts are returned'), 100],
  ['a first page', texts.saysFirstNumber('Zero-based page number'), 0],
  ['a choice', texts.saysChoice('A comma-separated list of fields to return.'), true],
  ['words for records', texts.saysKeyWords('The user. Use `me` for the authenticated user'), ['me']],
  ['an optional value', texts.saysOptional('If not specified, it is generated'), true],
])('%s', (_, answer, expected) => {
  expect(answer).toEqual(expected)
})

it.each([
  ['an error', saysError('Unexpected error'), true],
  ['a success', saysError('Success or error'), false],
  ['a schema of an error', isErrorName('ApiProblem'), true],
  ['a body that cannot be read', saysUnreadable('Malformed JSON'), true],
  ['values that break the contract', saysInvalid('Validation failed'), true],
  ['an idempotency key', isIdempotencyKey('X-Idempotency-Key'), true],
  ['an entity tag', isEntityTag('@odata.etag'), true],
  ['a signature', isSignature('X-Hub-Signature'), true],
  ['what a signature is about', isSignature('X-Signature-Timestamp'), false],
  ['a key of a record', recordOfKey('project_id'), 'project'],
  ['the key of the listed records', isKeyOf('travel_plan_id', 'TravelPlan'), true],
  ['the key of other records', isKeyOf('orderId', 'TravelPlan'), false],
  ['a key that people read', isSpokenKey('countryCode'), true],
  ['a name of a record', isCalledBy('contactEmail'), true],
])('%s', (_, answer, expected) => {
  expect(answer).toBe(expected)
})

it.each([
  ['prod', 'production'],
  // Servers with these words have data of their own, and their name.
  ['preview', 'preview'],
  ['integration', 'integration'],
  ['acceptance', 'acceptance'],
  ['eu', undefined],
])('the word %s means the environment %s', (word, expected) => {
  expect(environmentOf(word)).toBe(expected)
})

it('leaves out what a server is used for', () => {
  expect(serverWords('The server to test, not https://live.example')).toEqual(['the', 'server', 'not'])
})

it.each([
  ['creates', 'create'],
  // A webhook may say one of both for PUT and PATCH.
  ['replaced', 'change'],
  ['patched', 'change'],
  ['deleted', 'remove'],
  ['shipped', undefined],
])('the event %s means %s', (word, expected) => {
  expect(events.changeNamed(word)).toBe(expected)
})

it.each([
  ['cancelled_at', 'cancelled', true],
  ['is_deleted', 'deleted', true],
  ['cancelAt', 'cancel', false],
  ['failure_reason', 'failure', true],
])('the property %s has the event %s, which has happened: %s', (name, event, expected) => {
  expect([events.eventIn(name), events.hasHappened(events.eventIn(name))]).toEqual([event, expected])
})

it('takes the present state of a record for its state, not one before', () => {
  const record = { previous_status: 'draft', failure_reason: 'power cut' }
  expect(inPossibleState(record, () => 'absent', 'absent')).toEqual(record)
  expect(inPossibleState({ ...record, status: 'draft' }, () => 'absent', 'absent')).not.toHaveProperty('failure_reason')
})

// What a description says of the state of a record, and of what belongs to it.
const merges = ['OPEN', 'merged', 'on_hold']
decide('statesNeeded', (text) => statesNeeded(text, merges), {
  'Only open requests can be merged': ['OPEN'],
  'It can only be merged while open': ['OPEN'],
  'The request is not open': ['OPEN'],
  'It cannot be merged because it has already been merged': ['OPEN', 'on_hold'],
  'It cannot be merged unless it is open': ['OPEN'],
  'It cannot be merged. The request is on hold': ['OPEN', 'merged'],
  'Must not be on hold': ['OPEN', 'merged'],
  'This is not allowed for the request, or it was merged': ['OPEN', 'on_hold'],
  'You have no permission for open requests': undefined,
  'The request was invalid': undefined,
  'The method is not allowed or merged': undefined,
})
decide('statesNeeded of an operation', (text) => statesNeeded(text, merges, true), {
  'Merges a request. Only open requests can be merged.': ['OPEN'],
  'Once it is merged, you can only read it': undefined,
  'Merges a request that is open': undefined,
  'A request cannot be closed once it is merged': ['OPEN', 'on_hold'],
})
const files = ['file', 'folder']
decide('blockingIn', (text) => blockingIn(text, files), {
  'The folder still has open files': [{ noun: 'file', adjectives: ['open'] }],
  'Files are still attached': [{ noun: 'file', adjectives: [] }],
  'It is in use and cannot be removed': 'any',
  'The project is not empty': 'any',
  'You have no access to files': undefined,
  'Invalid file': undefined,
})
decide('blockingIn of an operation', (text) => blockingIn(text, files, true), {
  'You cannot delete a project that still contains files': [{ noun: 'file', adjectives: [] }],
  'Deletes a project with its files': undefined,
})
