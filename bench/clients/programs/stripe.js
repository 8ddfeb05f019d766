/**
 * A shop sells through Stripe: products with prices, customers with metadata and a credit balance, and payments that are
 * confirmed, captured and canceled. Form-encoded bodies, cursors (`starting_after`), POST for updates.
 */
import Stripe from 'stripe'

const { StripeInvalidRequestError } = Stripe.errors

export default {
  connect: ({ address }) => {
    const { hostname, port, protocol } = new URL(address('https://api.stripe.com/'))
    const options = { maxNetworkRetries: 0, telemetry: false, timeout: 5000 }
    return new Stripe('sk_test_4eC39HqLyjWDarjtT1zdp7dc', {
      ...options,
      host: hostname,
      port,
      protocol: protocol.slice(0, -1),
    })
  },
  steps: [
    {
      name: 'create and retrieve a product',
      does: 'Stores what is sent. A new product is active, is in test mode with a test key, and has no default price.',
      source: 'POST /v1/products; GET /v1/products/{id}; "active: … Defaults to `true`"; stripe.com/docs/api/products',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const product = await client.products.create({
          name: 'Loom of brass',
          description: 'Weaves in two colours',
          unit_label: 'loom',
          metadata: { shelf: 'W-17', origin: 'Lyon' },
        })
        kept.product = product
        check.equal(product.object, 'product', 'object')
        check(/^prod_/.test(product.id), `an id that begins with prod_ (${product.id})`, 'keys')
        check.equal(product.name, 'Loom of brass', 'name', 'values')
        check.equal(product.unit_label, 'loom', 'unit_label', 'values')
        check.equal(product.metadata, { shelf: 'W-17', origin: 'Lyon' }, 'metadata', 'free-form')
        check.equal(product.active, true, 'active')
        check.equal(product.livemode, false, 'livemode with a test key')
        check.equal(product.images, [], 'images')
        check.equal(product.default_price, null, 'default_price')
        check(isRecent(product.created), `created is now (${product.created})`, 'times')
        const read = await client.products.retrieve(product.id)
        check.wrong.equal(read.id, product.id, 'the id that is read', 'keys')
        check.equal(read.description, 'Weaves in two colours', 'the description that is read', 'state')
        check.equal(read.created, product.created, 'created does not change', 'state')
      },
    },
    {
      name: 'create prices of the product',
      does: 'A price without `recurring` has the type one_time, one with it recurring. Both are active and per unit.',
      source: 'POST /v1/prices; "type: One of `one_time` or `recurring` depending on …"; stripe.com/docs/api/prices',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const product = kept.product.id
        const once = await client.prices.create({ product, currency: 'sek', unit_amount: 48_250, nickname: 'To buy' })
        const weekly = { interval: 'week', interval_count: 2 }
        const rent = await client.prices.create({ product, currency: 'sek', unit_amount: 1975, recurring: weekly })
        kept.once = once
        kept.rent = rent
        check.wrong(once.id !== rent.id && Boolean(once.id), `two ids (${once.id}, ${rent.id})`, 'keys')
        check.equal(once.object, 'price', 'object')
        check.equal([once.product, rent.product], [product, product], 'product', 'references')
        check.equal([once.unit_amount, rent.unit_amount], [48_250, 1975], 'unit_amount', 'values')
        check.equal(once.unit_amount_decimal, '48250', 'unit_amount_decimal', 'made-values')
        check.equal([once.active, once.billing_scheme], [true, 'per_unit'], 'active and billing_scheme')
        check.equal([once.type, rent.type], ['one_time', 'recurring'], 'type', 'made-values')
        check.equal(once.recurring, null, 'recurring of a price to buy')
        check.equal(rent.recurring?.interval, 'week', 'recurring.interval', 'values')
        check.equal(rent.recurring?.interval_count, 2, 'recurring.interval_count', 'values')
        check.equal(rent.recurring?.usage_type, 'licensed', 'recurring.usage_type')
      },
    },
    {
      name: 'list prices with filters',
      does: 'Lists only prices of the given product, of the given type, and active or not.',
      source: 'GET /v1/prices; "Only return prices for the given product"; "… of type `recurring` or `one_time`"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const product = kept.product.id
        const both = [kept.once.id, kept.rent.id].sort()
        const all = await client.prices.list({ product })
        check.wrong.equal(idsOf(all.data), both, 'the prices of the product')
        check.equal([all.object, all.has_more], ['list', false], 'object and has_more', 'envelopes')
        const recurring = await client.prices.list({ product, type: 'recurring' })
        check.wrong.equal(idsOf(recurring.data), [kept.rent.id], 'the recurring prices of the product')
        await client.prices.update(kept.rent.id, { active: false })
        const inactive = await client.prices.list({ product, active: false })
        check.wrong.equal(idsOf(inactive.data), [kept.rent.id], 'the inactive prices of the product')
        const other = await client.products.create({ name: 'Shuttle of horn' })
        kept.shuttle = other
        const none = await client.prices.list({ product: other.id })
        check.wrong.equal(idsOf(none.data), [], 'the prices of a product that has none')
      },
    },
    {
      name: 'create a customer and merge metadata',
      does: 'Metadata is merged key by key, an empty value unsets its key, and what is not sent is left unchanged.',
      source: 'POST /v1/customers/{customer}; "Individual keys can be unset by posting an empty value to them"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const metadata = { guild: 'weavers', badge: '88-B', tier: 'gold' }
        const sent = { name: 'Ottilie Brandt', email: 'ottilie@loom.test', metadata }
        const customer = await client.customers.create({ ...sent, address: { city: 'Uppsala', country: 'SE' } })
        kept.customer = customer
        check.equal([customer.object, customer.livemode], ['customer', false], 'object and livemode', 'first-state')
        check.equal(customer.balance, 0, 'balance', 'first-state')
        check.equal(customer.address?.city, 'Uppsala', 'address.city', 'values')
        check(isRecent(customer.created), `created is now (${customer.created})`, 'times')
        const change = { phone: '+46185550123', metadata: { badge: '', tier: 'silver', since: '1987' } }
        const updated = await client.customers.update(customer.id, change)
        check.wrong.equal(updated.id, customer.id, 'the id that is updated', 'keys')
        const read = await client.customers.retrieve(customer.id)
        check.wrong.equal(read.id, customer.id, 'the id that is read', 'keys')
        const merged = { guild: 'weavers', tier: 'silver', since: '1987' }
        check.equal([updated.metadata, read.metadata], [merged, merged], 'metadata after the update, and read')
        check.equal([read.name, read.email], ['Ottilie Brandt', 'ottilie@loom.test'], 'what was not sent', 'state')
        check.equal(read.phone, '+46185550123', 'phone', 'state')
      },
    },
    {
      name: 'list customers of one email by pages',
      does: 'Pages of two, newest first, linked by the id of the last record. Each customer of the email comes once.',
      source: 'GET /v1/customers; `email`, `limit`, `starting_after`; stripe.com/docs/api/pagination',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check, exchanges }) {
        const email = 'guild.of.weavers@loom.test'
        const created = []
        for (const name of ['Anneke', 'Bertil', 'Cosima', 'Dagny', 'Eskil']) {
          created.push(await client.customers.create({ name, email }))
        }
        kept.members = created
        const first = await client.customers.list({ email, limit: 2 })
        check.equal([first.data.length, first.has_more], [2, true], 'records and has_more of page 1')
        const before = exchanges().length
        const seen = []
        await client.customers.list({ email, limit: 2 }).autoPagingEach((customer) => {
          seen.push(customer)
          return seen.length < 40 ? undefined : false
        })
        check(exchanges().length - before >= 3, `at least 3 pages (${exchanges().length - before})`)
        for (const { id, name } of created) {
          check.wrong.equal(seen.filter((each) => each.id === id).length, 1, `how often ${name} is listed`)
        }
        const others = seen.filter((each) => each.email !== email)
        check.wrong.equal(others.length, 0, 'how many customers of another email are listed', 'filters')
      },
    },
    {
      name: 'repeat a request with its idempotency key',
      does: 'A repeated key returns the first result and marks it with a header. Another key makes another customer.',
      source: 'POST /v1/customers; https://stripe.com/docs/api/idempotent_requests',
      needs: 'overlay',
      class: 'idempotency',
      async run({ client, check }) {
        const sent = { name: 'Folke Lindqvist', email: 'folke@loom.test' }
        const first = await client.customers.create(sent, { idempotencyKey: 'loom-folke-1' })
        const again = await client.customers.create(sent, { idempotencyKey: 'loom-folke-1' })
        const other = await client.customers.create(sent, { idempotencyKey: 'loom-folke-2' })
        check.equal(first.name, 'Folke Lindqvist', 'name', 'values')
        check.wrong.equal(again.id, first.id, 'the id of the repeated request')
        check.wrong(other.id !== first.id, `another key makes another customer (${other.id})`, 'keys')
        const header = again.lastResponse.headers['idempotent-replayed']
        check.equal(header, 'true', 'header idempotent-replayed', 'headers')
      },
    },
    {
      name: 'create a payment intent',
      does: 'A payment without a payment method waits for one. Nothing can be captured yet, and nothing was received.',
      source: 'POST /v1/payment_intents; stripe.com/docs/payments/paymentintents/lifecycle',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const payment = await client.paymentIntents.create({
          amount: 48_250,
          currency: 'sek',
          customer: kept.customer.id,
          payment_method_types: ['card'],
          capture_method: 'manual',
          description: 'One loom',
        })
        kept.payment = payment
        check(/^pi_/.test(payment.id), `an id that begins with pi_ (${payment.id})`, 'keys')
        check.equal(payment.object, 'payment_intent', 'object')
        check.equal([payment.amount, payment.currency], [48_250, 'sek'], 'amount and currency', 'values')
        check.equal(payment.customer, kept.customer.id, 'customer', 'references')
        check.equal([payment.capture_method, payment.confirmation_method], ['manual', 'automatic'], 'methods')
        check.wrong(!['canceled', 'succeeded'].includes(payment.status), `not in a final state (${payment.status})`)
        check.equal(payment.status, 'requires_payment_method', 'status')
        check.equal([payment.amount_received, payment.amount_capturable], [0, 0], 'received and capturable')
        check.equal([payment.canceled_at, payment.latest_charge], [null, null], 'canceled_at and latest_charge')
        const begin = `${payment.id}_secret_`
        check(payment.client_secret?.startsWith(begin), `client_secret (${payment.client_secret})`, 'made-values')
        check(isRecent(payment.created), `created is now (${payment.created})`, 'times')
      },
    },
    {
      name: 'confirm the payment intent',
      does: 'With manual capture, a confirmed payment requires capture of its whole amount, and has a charge.',
      source: 'POST /v1/payment_intents/{intent}/confirm; "`requires_capture`, if `capture_method` is set to `manual`"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const before = await client.paymentIntents.retrieve(kept.payment.id)
        check.wrong.equal(before.id, kept.payment.id, 'the id before', 'keys')
        check.wrong(before.status !== 'requires_capture', `another status before (${before.status})`, 'state')
        const after = await client.paymentIntents.confirm(kept.payment.id, { payment_method: 'pm_card_visa' })
        check.wrong.equal(after.id, kept.payment.id, 'the id that is confirmed', 'keys')
        check.equal(after.status, 'requires_capture', 'status')
        check.equal(after.amount, 48_250, 'amount', 'state')
        check.equal([after.amount_capturable, after.amount_received], [48_250, 0], 'capturable and received')
        check(typeof after.payment_method === 'string', `a payment method (${after.payment_method})`)
        check(typeof after.latest_charge === 'string', `the id of a charge (${after.latest_charge})`)
      },
    },
    {
      name: 'capture a part of the payment',
      does: 'The payment succeeds with the captured amount as received. Nothing is left to capture.',
      source: 'POST /v1/payment_intents/{intent}/capture; "when its status is `requires_capture`"; amount_to_capture',
      needs: 'document',
      class: 'actions',
      follows: ['confirm the payment intent'],
      async run({ client, kept, check }) {
        const captured = await client.paymentIntents.capture(kept.payment.id, { amount_to_capture: 40_100 })
        check.wrong.equal(captured.id, kept.payment.id, 'the id that is captured', 'keys')
        const read = await client.paymentIntents.retrieve(kept.payment.id)
        check.equal([captured.status, read.status], ['succeeded', 'succeeded'], 'status')
        check.equal([read.amount_received, read.amount_capturable], [40_100, 0], 'received and capturable')
        check.equal([read.amount, read.description], [48_250, 'One loom'], 'what is kept', 'state')
      },
    },
    {
      name: 'cancel another payment intent',
      does: 'The payment is canceled, with its reason and the time, and stays so. The first payment is not touched.',
      source: 'POST /v1/payment_intents/{intent}/cancel; "canceled_at: Populated when `status` is `canceled`"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const sent = { amount: 1975, currency: 'sek', customer: kept.customer.id, payment_method_types: ['card'] }
        const { id, status } = await client.paymentIntents.create(sent)
        check.wrong(status !== 'canceled', `a new payment is not canceled (${status})`, 'first-state')
        const reason = 'requested_by_customer'
        const canceled = await client.paymentIntents.cancel(id, { cancellation_reason: reason })
        check.wrong.equal(canceled.id, id, 'the id that is canceled', 'keys')
        const read = await client.paymentIntents.retrieve(id)
        check.equal([canceled.status, read.status], ['canceled', 'canceled'], 'status')
        check.equal(read.cancellation_reason, reason, 'cancellation_reason', 'values')
        check(isRecent(read.canceled_at), `canceled_at is now (${read.canceled_at})`, 'times')
        const first = await client.paymentIntents.retrieve(kept.payment.id)
        check.wrong.equal(first.id, kept.payment.id, 'the id of the first payment', 'keys')
        check.wrong(first.status !== 'canceled', `the first payment is not canceled (${first.status})`, 'state')
        const list = await client.paymentIntents.list({ customer: kept.customer.id })
        check.wrong.equal(idsOf(list.data), [id, kept.payment.id].sort(), 'the payments of the customer', 'filters')
      },
    },
    {
      name: 'credit and charge the balance of the customer',
      does: "Each transaction has the balance after it as ending_balance. The customer's balance is the last one.",
      source: 'POST, GET /v1/customers/{customer}/balance_transactions; ending_balance: "The … `balance` after …"',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const { id } = kept.customer
        const credit = await client.customers.createBalanceTransaction(id, { amount: -5300, currency: 'sek' })
        const sent = { amount: 1200, currency: 'sek', description: 'Carriage' }
        const debit = await client.customers.createBalanceTransaction(id, sent)
        check.equal(credit.object, 'customer_balance_transaction', 'object', 'first-state')
        check.equal([credit.customer, debit.customer], [id, id], 'customer', 'owners')
        check.equal([credit.amount, debit.amount], [-5300, 1200], 'amount', 'values')
        check.equal([credit.type, debit.type], ['adjustment', 'adjustment'], 'type', 'first-state')
        check.equal([credit.ending_balance, debit.ending_balance], [-5300, -4100], 'ending_balance')
        const list = await client.customers.listBalanceTransactions(id)
        check.wrong.equal(idsOf(list.data), [credit.id, debit.id].sort(), 'the transactions of the customer', 'paths')
        const read = await client.customers.retrieveBalanceTransaction(id, debit.id)
        check.wrong.equal(read.id, debit.id, 'the id of the transaction that is read', 'keys')
        check.equal(read.description, 'Carriage', 'description', 'state')
        const customer = await client.customers.retrieve(id)
        check.equal(customer.balance, -4100, 'balance of the customer')
      },
    },
    {
      name: 'delete a customer',
      does: 'Answers the id with deleted. The customer is in no list any more. Reading it shows only that it is deleted.',
      source: 'DELETE, GET /v1/customers/{customer}: deleted_customer, "Always true for a deleted object"',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check }) {
        const [gone, ...others] = kept.members
        const before = await client.customers.retrieve(gone.id)
        check.wrong.equal(before.id, gone.id, 'the id before', 'keys')
        check.wrong(!before.deleted, 'not deleted before', 'state')
        const answer = await client.customers.del(gone.id)
        check.equal({ ...answer }, { id: gone.id, object: 'customer', deleted: true }, 'the answer')
        const after = await client.customers.retrieve(gone.id)
        check.wrong(after.deleted === true, `deleted when it is read (${after.deleted})`)
        check.wrong.equal(after.id, gone.id, 'the id that is read after', 'keys')
        check.equal([after.email, after.name], [undefined, undefined], 'nothing but the id is left')
        const list = await client.customers.list({ email: gone.email, limit: 100 })
        const left = list.data.map(({ id }) => id)
        check.wrong(!left.includes(gone.id), 'not in the list after', 'state')
        const missing = others.filter(({ id }) => !left.includes(id))
        check.wrong.equal(idsOf(missing), [], 'the others that are not in the list after', 'state')
      },
    },
    {
      name: 'delete a product and retrieve it',
      does: 'Answers the id with deleted. After that 404, StripeInvalidRequestError with the code resource_missing.',
      source: 'DELETE, GET /v1/products/{id}; https://stripe.com/docs/error-codes#resource-missing',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { id } = kept.shuttle
        const before = await client.products.retrieve(id)
        check.wrong.equal([before.id, before.name], [id, 'Shuttle of horn'], 'id and name before', 'state')
        const answer = await client.products.del(id)
        check.equal({ ...answer }, { id, object: 'product', deleted: true }, 'the answer', 'deletion')
        const error = await fails(() => client.products.retrieve(id))
        check.wrong.equal(error.statusCode, 404, 'status')
        check.wrong(error instanceof StripeInvalidRequestError, `StripeInvalidRequestError (${error})`)
        check.equal([error.rawType, error.code], ['invalid_request_error', 'resource_missing'], 'type and code')
        check.equal(error.param, 'id', 'param')
        check(error.message?.includes(id), `the message names the id (${error.message})`)
      },
    },
    {
      name: 'create a payment intent without a currency',
      does: 'Answers 400, and the library throws StripeInvalidRequestError with parameter_missing and the parameter.',
      source: 'POST /v1/payment_intents; currency is required; https://stripe.com/docs/error-codes#parameter-missing',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.paymentIntents.create({ amount: 48_250 }))
        check.wrong.equal(error.statusCode, 400, 'status')
        check.wrong(error instanceof StripeInvalidRequestError, `StripeInvalidRequestError (${error})`, 'errors')
        check.equal(error.rawType, 'invalid_request_error', 'type', 'errors')
        check.equal([error.code, error.param], ['parameter_missing', 'currency'], 'code and param', 'errors')
      },
    },
  ],
}

const daySeconds = 86_400

/** Whether a time in seconds is within a day of now. */
function isRecent(seconds) {
  return Math.abs(seconds - Date.now() / 1000) < daySeconds
}

function idsOf(records) {
  return records.map(({ id }) => id).sort()
}
