/**
 * A budgeting app uses Plaid's Sandbox: Items with accounts and tokens, payment recipients and payments, and test clocks.
 * Every operation is a POST whose body has the token or id (RPC). Errors are axios errors with error_type and error_code.
 */
import { Configuration, PlaidApi } from 'plaid'

const institution = 'ins_109509'

export default {
  connect: ({ address }) =>
    new PlaidApi(
      new Configuration({
        basePath: address('https://sandbox.plaid.com'),
        baseOptions: {
          headers: { 'PLAID-CLIENT-ID': '5f3a0b9c1d2e4f0012ab34cd', 'PLAID-SECRET': 'sandbox-secret' },
          timeout: 10_000,
        },
      }),
    ),
  steps: [
    {
      name: 'create Items and exchange their public tokens',
      does: 'A public token becomes an access token and the id of a new Item, even for the same institution.',
      source: 'POST /sandbox/public_token/create, /item/public_token/exchange; "The `item_id` is always unique"',
      needs: 'document',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const first = await createItem(client, { webhook: 'https://hooks.budget.test/one' })
        const second = await createItem(client)
        kept.first = first
        kept.second = second
        check(/^public-sandbox-/.test(first.public_token), `public_token (${first.public_token})`, 'keys')
        check(/^access-sandbox-/.test(first.access_token), `access_token (${first.access_token})`, 'keys')
        check(first.request_id?.length > 0, `request_id (${first.request_id})`, 'first-state')
        check.wrong(first.item_id !== second.item_id, `two item_ids (${first.item_id}, ${second.item_id})`, 'keys')
        check.wrong(first.access_token !== second.access_token, 'two access_tokens', 'keys')
        check.wrong(first.public_token !== second.public_token, 'two public_tokens', 'keys')
      },
    },
    {
      name: 'get an Item by its access token',
      does: 'The Item has the id of the exchange, its institution, products and webhook, and no error.',
      source: 'POST /item/get; Item: billed_products, error, webhook; PlaidError is null without an error',
      needs: 'more',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const { item } = (await client.itemGet({ access_token: kept.first.access_token })).data
        const other = (await client.itemGet({ access_token: kept.second.access_token })).data.item
        check.wrong.equal(item.item_id, kept.first.item_id, 'item_id')
        check.wrong.equal(other.item_id, kept.second.item_id, 'item_id of the second')
        check.equal(item.institution_id, institution, 'institution_id', 'values')
        check.equal(item.webhook, 'https://hooks.budget.test/one', 'webhook', 'values')
        check(!other.webhook, `no webhook of the second (${other.webhook})`, 'first-state')
        check(item.billed_products?.includes('auth'), `billed_products has auth (${item.billed_products})`, 'values')
        const both = item.billed_products?.filter((each) => item.available_products?.includes(each))
        check.equal(both, [], 'products that are billed and available', 'first-state')
        check.wrong.equal(item.error, null, 'error of a new Item', 'first-state')
      },
    },
    {
      name: 'update the webhook of an Item',
      does: 'Answers the Item with the new webhook, and keeps it. null removes it.',
      source: 'POST /item/webhook/update; "To remove a webhook from an Item, set to `null`"',
      needs: 'document',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const { access_token, item_id } = kept.first
        const get = async () => (await client.itemGet({ access_token })).data.item
        const webhook = 'https://hooks.budget.test/two'
        const { item } = (await client.itemWebhookUpdate({ access_token, webhook })).data
        check.wrong.equal(item.item_id, item_id, 'item_id of the answer')
        check.equal(item.webhook, webhook, 'webhook of the answer', 'values')
        const read = await get()
        check.wrong.equal(read.item_id, item_id, 'item_id that is read')
        check.equal([read.webhook, read.institution_id], [webhook, institution], 'webhook and institution', 'state')
        await client.itemWebhookUpdate({ access_token, webhook: null })
        const removed = await get()
        check(!removed.webhook, `no webhook after it was removed (${removed.webhook})`, 'state')
      },
    },
    {
      name: 'get the accounts of Items',
      does: 'Each Item has accounts of its own, the same each time. They can be filtered by their ids.',
      source: 'POST /accounts/get; options.account_ids: "A list of `account_ids` to retrieve for the Item"',
      needs: 'more',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const get = async ({ access_token }, options) => (await client.accountsGet({ access_token, options })).data
        const first = await get(kept.first)
        const ids = first.accounts.map((each) => each.account_id)
        const isForAuth = ({ subtype }) => ['checking', 'savings'].includes(subtype)
        kept.accountIds = first.accounts
          .toSorted((one, other) => isForAuth(other) - isForAuth(one))
          .map((each) => each.account_id)
        const accountId = ids.at(-1)
        check.wrong.equal(first.item.item_id, kept.first.item_id, 'item_id')
        check(ids.length >= 2, `at least two accounts (${ids.length})`, 'first-state')
        check.wrong.equal(new Set(ids).size, ids.length, 'how many ids the accounts have', 'keys')
        check(first.accounts.every(isPlausible), 'each account has a name, a type and a balance', 'first-state')
        const again = await get(kept.first)
        check.wrong.equal(
          again.accounts.map((each) => each.account_id).sort(),
          ids.sort(),
          'the accounts again',
          'state',
        )
        const second = await get(kept.second)
        check(second.accounts.length >= 2, `at least two accounts of the second (${second.accounts.length})`)
        const shared = second.accounts.filter((each) => ids.includes(each.account_id))
        check.wrong.equal(shared.length, 0, 'accounts that both Items have', 'owners')
        const one = await get(kept.first, { account_ids: [accountId] })
        const found = one.accounts.map((each) => each.account_id)
        check.wrong.equal(found, [accountId], 'the accounts of the filter', 'filters')
      },
    },
    {
      name: 'create processor tokens for accounts',
      does: 'A token is for one account: the partner reads the balance of that account with it.',
      source: 'POST /processor/token/create, /processor/balance/get',
      needs: 'more',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const { access_token } = kept.first
        const tokens = []
        for (const account_id of kept.accountIds.slice(0, 2)) {
          const request = { access_token, account_id, processor: 'galileo' }
          const { processor_token } = (await client.processorTokenCreate(request)).data
          tokens.push(processor_token)
          check(/^processor-sandbox-/.test(processor_token), `processor_token (${processor_token})`, 'keys')
          const { account } = (await client.processorBalanceGet({ processor_token })).data
          check.wrong.equal(account.account_id, account_id, 'account_id of the balance')
          check(isPlausible(account), 'the account has a name, a type and a balance', 'first-state')
        }
        check.wrong.equal(new Set(tokens).size, 2, 'how many tokens two accounts have', 'keys')
        kept.processorToken = tokens[0]
      },
    },
    {
      name: 'rotate an access token',
      does: 'The new token is for the same Item. The old one is not valid any more: 400, INVALID_ACCESS_TOKEN.',
      source: 'POST /item/access_token/invalidate; "… immediately invalidates the previous `access_token`"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const { access_token, item_id } = kept.second
        const before = (await client.itemGet({ access_token })).data.item
        check.wrong.equal(before.item_id, item_id, 'item_id before', 'keys-in-bodies')
        const { new_access_token } = (await client.itemAccessTokenInvalidate({ access_token })).data
        check.wrong(new_access_token?.length > 0 && new_access_token !== access_token, 'the new token is another')
        const after = (await client.itemGet({ access_token: new_access_token })).data.item
        check.wrong.equal(after.item_id, item_id, 'item_id with the new token', 'keys-in-bodies')
        const error = await fails(() => client.itemGet({ access_token }))
        checkError(error, check, ['INVALID_ACCESS_TOKEN'])
      },
    },
    {
      name: 'force an Item to require a login',
      does: 'The Item has the error ITEM_LOGIN_REQUIRED, and its balances cannot be read. Other Items have no error.',
      source: 'POST /sandbox/item/reset_login; "forces an Item into an `ITEM_LOGIN_REQUIRED` state"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const { access_token, item_id } = await createItem(client)
        const before = (await client.itemGet({ access_token })).data.item
        check.wrong.equal([before.item_id, before.error], [item_id, null], 'item_id and error before', 'first-state')
        const { reset_login } = (await client.sandboxItemResetLogin({ access_token })).data
        check.equal(reset_login, true, 'reset_login')
        const after = (await client.itemGet({ access_token })).data.item
        check.wrong.equal(after.item_id, item_id, 'item_id after', 'keys-in-bodies')
        check.equal(after.error?.error_code, 'ITEM_LOGIN_REQUIRED', 'error_code of the Item')
        const error = await fails(() => client.accountsBalanceGet({ access_token }))
        checkError(error, check, ['ITEM_LOGIN_REQUIRED'])
        const other = (await client.itemGet({ access_token: kept.first.access_token })).data.item
        check.wrong.equal(other.error, null, 'error of another Item', 'state')
      },
    },
    {
      name: 'create, get and list payment recipients',
      does: 'Each recipient has an id, and is read and listed with its name, address, and IBAN or account number.',
      source: 'POST /payment_initiation/recipient/create, …/get, …/list: "list the recipients that you have … created"',
      needs: 'document',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const address = { street: ['12 Speicherstadt'], city: 'Hamburg', postal_code: '20457', country: 'DE' }
        const german = { name: 'Loom and Daughters', iban: 'DE89370400440532013000', address }
        const british = { name: 'Quay Bakery', bacs: { account: '26207729', sort_code: '560029' } }
        const create = async (sent) => (await client.paymentInitiationRecipientCreate(sent)).data.recipient_id
        const ids = [await create(german), await create(british)]
        kept.recipientId = ids[0]
        check.wrong.equal(new Set(ids).size, 2, 'how many ids two recipients have', 'keys')
        check(/^recipient-id-sandbox-/.test(ids[0]), `recipient_id (${ids[0]})`, 'keys')
        const read = (await client.paymentInitiationRecipientGet({ recipient_id: ids[0] })).data
        check.wrong.equal(read.recipient_id, ids[0], 'recipient_id that is read')
        check.equal([read.name, read.iban], [german.name, german.iban], 'name and iban', 'values')
        check.equal(read.address, address, 'address', 'values')
        const other = (await client.paymentInitiationRecipientGet({ recipient_id: ids[1] })).data
        check.wrong.equal(other.recipient_id, ids[1], 'recipient_id of the second')
        check.equal([other.name, other.bacs], [british.name, british.bacs], 'name and bacs of the second', 'values')
        const { recipients } = (await client.paymentInitiationRecipientList({})).data
        const counts = ids.map((id) => recipients.filter((each) => each.recipient_id === id).length)
        check.wrong.equal(counts, [1, 1], 'how often each is listed', 'state')
      },
    },
    {
      name: 'create and get a payment',
      does: 'A new payment of the recipient needs input, and is read with its amount and reference.',
      source: 'POST /payment_initiation/payment/create, …/get; "This is the initial state of all payments"',
      needs: 'document',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const amount = { currency: 'EUR', value: 47.35 }
        const sent = { recipient_id: kept.recipientId, reference: 'warp4711', amount }
        const created = (await client.paymentInitiationPaymentCreate(sent)).data
        const { payment_id } = created
        kept.paymentId = payment_id
        check(/^payment-id-sandbox-/.test(payment_id), `payment_id (${payment_id})`, 'keys')
        check.wrong.equal(created.status, 'PAYMENT_STATUS_INPUT_NEEDED', 'status', 'first-state')
        const read = (await client.paymentInitiationPaymentGet({ payment_id })).data
        check.wrong.equal(read.payment_id, payment_id, 'payment_id that is read')
        check.equal([read.recipient_id, read.reference], [sent.recipient_id, 'warp4711'], 'what was sent', 'values')
        check.equal(read.amount, amount, 'amount', 'values')
        check.wrong.equal(read.status, 'PAYMENT_STATUS_INPUT_NEEDED', 'status that is read', 'first-state')
        const now = isRecent(read.last_status_update)
        check(now, `last_status_update is now (${read.last_status_update})`, 'times')
      },
    },
    {
      name: 'list payments by pages',
      does: 'Pages of two, the most recent first. The cursor of a page leads to the next one. Each payment comes once.',
      source: 'POST /payment_initiation/payment/list; count, cursor: "beginning with the most recent payment"',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = [kept.paymentId]
        for (const reference of ['weft1', 'weft2', 'weft3', 'weft4']) {
          const sent = { recipient_id: kept.recipientId, reference, amount: { currency: 'EUR', value: 8.25 } }
          created.push((await client.paymentInitiationPaymentCreate(sent)).data.payment_id)
        }
        const seen = []
        let cursor
        let pages = 0
        do {
          const { data } = await client.paymentInitiationPaymentList({ count: 2, cursor })
          check.wrong(data.payments.length <= 2, `at most two payments on a page (${data.payments.length})`)
          seen.push(...data.payments.map((each) => each.payment_id))
          cursor = data.next_cursor
          pages++
        } while (cursor && pages < 20 && created.some((id) => !seen.includes(id)))
        check(pages >= 3, `at least 3 pages (${pages})`)
        for (const id of created) {
          check.wrong.equal(seen.filter((each) => each === id).length, 1, `how often ${id} is listed`)
        }
        const order = [...new Set(seen)].filter((id) => created.includes(id))
        check.equal(order, [...created].reverse(), 'the order of the created payments')
      },
    },
    {
      name: 'advance a test clock',
      does: 'The clock has the new time, another clock its own. A clock never goes back.',
      source: 'POST /sandbox/transfer/test_clock/advance; "may never go back to a lower `virtual_time`"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const [moved, other] = await createClocks(client, ['2030-03-04T10:00:00Z', '2030-03-05T11:30:00Z'])
        kept.clocks = [moved, other]
        check.wrong(moved.test_clock_id !== other.test_clock_id, `two ids (${moved.test_clock_id})`, 'keys')
        check.equal(moved.virtual_time, '2030-03-04T10:00:00Z', 'virtual_time', 'values')
        const get = async ({ test_clock_id }) =>
          (await client.sandboxTransferTestClockGet({ test_clock_id })).data.test_clock
        const before = await get(moved)
        check.wrong.equal(before, { ...moved }, 'the clock before', 'state')
        const { test_clock_id } = moved
        const advance = (new_virtual_time) =>
          client.sandboxTransferTestClockAdvance({ test_clock_id, new_virtual_time })
        await advance('2030-03-19T10:00:00Z')
        const after = await get(moved)
        check.wrong.equal(after.test_clock_id, test_clock_id, 'test_clock_id after', 'keys-in-bodies')
        check.equal(after.virtual_time, '2030-03-19T10:00:00Z', 'virtual_time after')
        check.wrong.equal(await get(other), { ...other }, 'the other clock', 'state')
        const error = await fails(() => advance('2030-03-01T10:00:00Z'))
        check.equal(error.response?.status, 400, 'status of going back', 'validation')
      },
    },
    {
      name: 'list test clocks of a time range by pages',
      does: 'Lists the clocks of the range by ascending time, two at a time by offset, each once.',
      source: 'POST /sandbox/transfer/test_clock/list; "by ascending `virtual_time`"; count, offset',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const times = ['2030-09-02T08:00:00Z', '2030-06-01T08:00:00Z', '2030-11-03T08:00:00Z', '2031-02-04T08:00:00Z']
        const created = await createClocks(client, times)
        const late = created.pop()
        const wanted = [...kept.clocks, ...created].map((each) => each.test_clock_id)
        const range = { start_virtual_time: '2030-01-01T00:00:00Z', end_virtual_time: '2030-12-31T00:00:00Z' }
        const seen = []
        let page
        for (let offset = 0; offset < 40; offset += 2) {
          page = (await client.sandboxTransferTestClockList({ ...range, count: 2, offset })).data.test_clocks
          check.wrong(page.length <= 2, `at most two clocks on a page (${page.length})`)
          seen.push(...page)
          if (page.length < 2) break
        }
        const ids = seen.map((each) => each.test_clock_id)
        for (const id of wanted) {
          check.wrong.equal(ids.filter((each) => each === id).length, 1, `how often ${id} is listed`)
        }
        check.wrong(!ids.includes(late.test_clock_id), 'without the clock after the range', 'filters')
        const listed = seen.map((each) => each.virtual_time)
        check.equal(listed, [...listed].sort(), 'the order of the times')
      },
    },
    {
      name: 'remove an Item and get it',
      does: 'Neither the access token nor the processor token of the Item is valid any more. Other Items stay.',
      source: 'POST /item/remove; "the `access_token`, as well as any processor tokens …, is no longer valid"',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { access_token, item_id } = kept.first
        const third = await createItem(client)
        const before = (await client.itemGet({ access_token })).data.item
        check.wrong.equal(before.item_id, item_id, 'item_id before', 'keys-in-bodies')
        const removed = (await client.itemRemove({ access_token })).data
        check(removed.request_id?.length > 0, `request_id (${removed.request_id})`)
        const error = await fails(() => client.itemGet({ access_token }))
        checkError(error, check, ['ITEM_NOT_FOUND', 'INVALID_ACCESS_TOKEN'])
        const other = (await client.itemGet({ access_token: third.access_token })).data.item
        check.wrong.equal(other.item_id, third.item_id, 'item_id of another Item', 'state')
        const refusal = await fails(() => client.processorBalanceGet({ processor_token: kept.processorToken }))
        check.wrong.equal(refusal.response?.status, 400, 'status with the processor token')
      },
    },
    {
      name: 'create a payment without a reference',
      does: 'Answers 400, and axios throws. The body is a PlaidError: INVALID_REQUEST with MISSING_FIELDS.',
      source: 'POST /payment_initiation/payment/create; reference is required; plaid.com/docs/errors/invalid-request',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const sent = { recipient_id: kept.recipientId, amount: { currency: 'EUR', value: 5.15 } }
        const error = await fails(() => client.paymentInitiationPaymentCreate(sent))
        checkError(error, check, ['MISSING_FIELDS'])
        check.equal(error.response?.data?.error_type, 'INVALID_REQUEST', 'error_type', 'errors')
      },
    },
  ],
}

const dayMs = 86_400_000

async function createItem(client, options) {
  const request = { institution_id: institution, initial_products: ['auth'], options }
  const { public_token } = (await client.sandboxPublicTokenCreate(request)).data
  const { data } = await client.itemPublicTokenExchange({ public_token })
  return { ...data, public_token }
}

async function createClocks(client, times) {
  const clocks = []
  for (const virtual_time of times) {
    clocks.push((await client.sandboxTransferTestClockCreate({ virtual_time })).data.test_clock)
  }
  return clocks
}

/** 400 with a PlaidError that has one of the codes. */
function checkError(error, check, codes) {
  check.wrong.equal(error.response?.status, 400, 'status', 'errors')
  check.wrong(error.isAxiosError === true, `an axios error (${error})`, 'errors')
  const { error_type, error_code, error_message, request_id } = error.response?.data ?? {}
  check(codes.includes(error_code), `error_code (${error_code})`, 'errors')
  check(/^[A-Z_]+$/.test(error_type), `error_type (${error_type})`, 'errors')
  check(error_message?.length > 0 && request_id?.length > 0, 'error_message and request_id', 'errors')
}

function isPlausible({ name, type, balances }) {
  const types = ['investment', 'credit', 'depository', 'loan', 'brokerage', 'other']
  const { available, current } = balances ?? {}
  return name?.length > 0 && types.includes(type) && [available, current].some(Number.isFinite)
}

/** Whether a time is within a day of now. */
function isRecent(text) {
  return Math.abs(new Date(text) - Date.now()) < dayMs
}
