/**
 * A kiosk chain runs on Square: a location, customers with groups, a catalog, an order, and card payments that are held,
 * completed and canceled. Records in named envelopes, idempotency keys in bodies, cursors, PUT with only what changes.
 */
import { ApiError, Client, Environment } from 'square'

export default {
  connect: ({ address }) =>
    new Client({
      environment: Environment.Custom,
      customUrl: address('https://connect.squareup.com'),
      accessToken: 'EAAA-kiosk-token',
      timeout: 5000,
      httpClientOptions: { timeout: 5000, retryConfig: { maxNumberOfRetries: 0 } },
    }),
  steps: [
    {
      name: 'create a location',
      does: 'A new location is active and physical, with the country and currency of the account. It is listed.',
      source: 'POST, GET /v2/locations; the example of CreateLocationResponse',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const town = { locality: 'Savannah', administrativeDistrictLevel1: 'GA', postalCode: '31401' }
        const address = { addressLine1: '4 Tram Stop', ...town }
        const sent = { name: 'Tram Stop Kiosk', description: 'Papers and coffee', address }
        const { location } = (await client.locationsApi.createLocation({ location: sent })).result
        kept.location = location
        check(location.id?.length > 0, `an id (${location.id})`, 'keys')
        check.equal([location.name, location.description], ['Tram Stop Kiosk', 'Papers and coffee'], 'texts', 'values')
        check.equal(location.address?.locality, 'Savannah', 'address.locality', 'values')
        check.wrong(location.status !== 'INACTIVE', `not inactive (${location.status})`)
        check.equal([location.status, location.type], ['ACTIVE', 'PHYSICAL'], 'status and type')
        check(/^[A-Z]{3}$/.test(location.currency), `currency (${location.currency})`)
        check(/^[A-Z]{2}$/.test(location.country), `country (${location.country})`)
        check(isRecent(location.createdAt), `created_at is now (${location.createdAt})`, 'times')
        const read = (await client.locationsApi.retrieveLocation(location.id)).result.location
        check.wrong.equal([read.id, read.name], [location.id, 'Tram Stop Kiosk'], 'id and name that are read', 'state')
        const { locations } = (await client.locationsApi.listLocations()).result
        check.wrong.equal(countOf(locations ?? [], location.id), 1, 'how often the location is listed', 'state')
      },
    },
    {
      name: 'create and retrieve a customer',
      does: 'A new customer has version 0, was created by a third party, and is not unsubscribed from emails.',
      source: 'POST, GET /v2/customers; the example of CreateCustomerResponse; "version: … assigned version number"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { givenName: 'Tove', familyName: 'Hallberg', emailAddress: 'tove@kiosk.test', referenceId: 'K-77' }
        const address = { addressLine1: '9 Quay Street', locality: 'Savannah', country: 'US' }
        const request = { ...sent, address, note: 'Reads two papers' }
        const { customer } = (await client.customersApi.createCustomer(request)).result
        kept.customer = customer
        check(customer.id?.length > 0, `an id (${customer.id})`, 'keys')
        for (const [name, value] of Object.entries(sent)) check.equal(customer[name], value, name, 'values')
        check.equal(customer.address?.addressLine1, '9 Quay Street', 'address_line_1', 'values')
        check.equal(customer.version, 0n, 'version')
        check.equal(customer.creationSource, 'THIRD_PARTY', 'creation_source')
        check.equal(customer.preferences?.emailUnsubscribed, false, 'preferences.email_unsubscribed')
        check(isRecent(customer.createdAt), `created_at is now (${customer.createdAt})`, 'times')
        const age = Math.abs(new Date(customer.updatedAt) - new Date(customer.createdAt))
        check(age < 5000, `updated_at of a new customer is created_at (${customer.updatedAt})`, 'times')
        const read = (await client.customersApi.retrieveCustomer(customer.id)).result.customer
        check.wrong.equal(read.id, customer.id, 'the id that is read', 'keys')
        check.equal([read.givenName, read.note], ['Tove', 'Reads two papers'], 'what is read', 'state')
      },
    },
    {
      name: 'create customers with idempotency keys',
      does: 'A repeated key does not create a second customer. Each other key does.',
      source: 'POST /v2/customers: idempotency_key; developer.squareup.com/docs/working-with-apis/idempotency',
      needs: 'document',
      class: 'idempotency',
      async run({ client, kept, check }) {
        const create = async (nickname, idempotencyKey) => {
          const sent = { givenName: 'Regular', nickname, referenceId: `queue-${nickname}`, idempotencyKey }
          return (await client.customersApi.createCustomer(sent)).result.customer
        }
        const created = []
        for (const nickname of ['Alva', 'Birk', 'Cleo', 'Dino', 'Embla']) {
          created.push(await create(nickname, `kiosk-queue-${nickname}`))
        }
        kept.queue = created
        check.wrong.equal(new Set(created.map(({ id }) => id)).size, 5, 'how many ids five customers have', 'keys')
        const again = await create('Cleo', 'kiosk-queue-Cleo')
        check.wrong.equal(again.id, created[2].id, 'the id of the repeated request')
        check.equal(again.nickname, 'Cleo', 'nickname', 'values')
      },
    },
    {
      name: 'update the customer',
      does: 'Changes what is sent, removes what is sent as an empty string, keeps the rest, and raises the version by one.',
      source: 'PUT /v2/customers/{customer_id}; "To remove an attribute, … an empty string"; version',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id } = kept.customer
        const change = { nickname: 'Totte', companyName: 'Hallberg Bindery', note: '', version: kept.customer.version }
        const updated = (await client.customersApi.updateCustomer(id, change)).result.customer
        check.wrong.equal(updated.id, id, 'the id that is updated', 'keys')
        const read = (await client.customersApi.retrieveCustomer(id)).result.customer
        check.wrong.equal(read.id, id, 'the id that is read', 'keys')
        check.equal([read.nickname, read.companyName], ['Totte', 'Hallberg Bindery'], 'what is changed', 'values')
        check(!read.note, `the note is removed (${read.note})`)
        check.equal([read.givenName, read.familyName], ['Tove', 'Hallberg'], 'the names, which were not sent')
        check.equal([read.emailAddress, read.referenceId], ['tove@kiosk.test', 'K-77'], 'what else was not sent')
        check.equal([updated.version, read.version], [1n, 1n], 'version', 'made-values')
        check.equal(read.createdAt, kept.customer.createdAt, 'created_at does not change', 'times')
      },
    },
    {
      name: 'add the customer to a group and remove it',
      does: 'The customer has the id of the group while it is a member.',
      source: 'POST /v2/customers/groups; PUT, DELETE /v2/customers/{customer_id}/groups/{group_id}; group_ids',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const groups = client.customerGroupsApi
        const { group } = (await groups.createCustomerGroup({ group: { name: 'Early birds' } })).result
        check.equal(group.name, 'Early birds', 'name of the group', 'values')
        check(isRecent(group.createdAt), `created_at is now (${group.createdAt})`, 'times')
        const read = (await groups.retrieveCustomerGroup(group.id)).result.group
        check.wrong.equal([read.id, read.name], [group.id, 'Early birds'], 'id and name that are read', 'state')
        const { id } = kept.customer
        const groupIds = async () => (await client.customersApi.retrieveCustomer(id)).result.customer.groupIds ?? []
        check.wrong(!(await groupIds()).includes(group.id), 'not a member before', 'first-state')
        await client.customersApi.addGroupToCustomer(id, group.id)
        const during = await groupIds()
        check(during.includes(group.id), `a member after it was added (${during})`)
        await client.customersApi.removeGroupFromCustomer(id, group.id)
        const after = await groupIds()
        check(!after.includes(group.id), `not a member after it was removed (${after})`)
      },
    },
    {
      name: 'create a catalog item with its variation',
      does: 'Temporary ids become real ones, which are told in id_mappings. The variation has the id of its item.',
      source: 'POST, GET /v2/catalog/object; "… supply a unique identifier that replaces the temporary identifier"',
      needs: 'more',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const priceMoney = { amount: 385n, currency: kept.location.currency }
        const itemVariationData = { itemId: '#Bun', name: 'With almond', pricingType: 'FIXED_PRICING', priceMoney }
        const variations = [{ type: 'ITEM_VARIATION', id: '#BunAlmond', itemVariationData }]
        const itemData = { name: 'Semla', description: 'A bun for February', variations }
        const object = { type: 'ITEM', id: '#Bun', presentAtAllLocations: true, itemData }
        const request = { idempotencyKey: 'kiosk-catalog-semla', object }
        const { catalogObject: item, idMappings = [] } = (await client.catalogApi.upsertCatalogObject(request)).result
        kept.item = item
        check.wrong(item.id?.length > 0 && item.id !== '#Bun', `a real id (${item.id})`)
        const mapped = Object.fromEntries(idMappings.map((each) => [each.clientObjectId, each.objectId]))
        const [variation] = item.itemData?.variations ?? []
        check.equal(mapped, { '#Bun': item.id, '#BunAlmond': variation?.id }, 'id_mappings')
        check.equal([item.type, item.isDeleted], ['ITEM', false], 'type and is_deleted', 'first-state')
        check(item.version > 0n, `version (${item.version})`, 'first-state')
        check(isRecent(item.updatedAt), `updated_at is now (${item.updatedAt})`, 'times')
        const read = (await client.catalogApi.retrieveCatalogObject(item.id)).result.object
        check.wrong.equal([read.id, read.itemData?.name], [item.id, 'Semla'], 'id and name that are read', 'state')
        const child = (await client.catalogApi.retrieveCatalogObject(variation.id)).result.object
        check.wrong.equal([child.id, child.type], [variation.id, 'ITEM_VARIATION'], 'the variation', 'paths')
        check.equal(child.itemVariationData?.itemId, item.id, 'item_id of the variation', 'owners')
        check.equal(child.itemVariationData?.priceMoney, priceMoney, 'price of the variation', 'values')
      },
    },
    {
      name: 'create an order',
      does: 'A new order is open, has version 1, an id for each line item, and the totals of quantities and prices.',
      source: 'POST, GET /v2/orders; "state: … `OPEN`"; total_money of line items and order; the example',
      needs: 'more',
      class: 'first-state',
      async run({ client, kept, check }) {
        const { id: locationId, currency } = kept.location
        const lineItems = [
          { name: 'Evening paper', quantity: '3', basePriceMoney: { amount: 725n, currency } },
          { name: 'Flat white', quantity: '2', basePriceMoney: { amount: 1190n, currency } },
        ]
        const order = { locationId, referenceId: 'window-4', customerId: kept.customer.id, lineItems }
        const request = { order, idempotencyKey: 'kiosk-order-window-4' }
        const created = (await client.ordersApi.createOrder(request)).result.order
        kept.order = created
        check.equal([created.locationId, created.referenceId], [locationId, 'window-4'], 'what is sent', 'values')
        check.equal(created.customerId, kept.customer.id, 'customer_id', 'references')
        check.wrong(!['COMPLETED', 'CANCELED'].includes(created.state), `not in a final state (${created.state})`)
        check.equal([created.state, created.version], ['OPEN', 1], 'state and version')
        check(!created.closedAt, `not closed (${created.closedAt})`)
        check(isRecent(created.createdAt), `created_at is now (${created.createdAt})`, 'times')
        const lines = created.lineItems ?? []
        check.equal(new Set(lines.map(({ uid }) => uid)).size, 2, 'how many uids the line items have', 'keys')
        const totals = lines.map((each) => each.totalMoney?.amount)
        check.equal(totals, [2175n, 2380n], 'total_money of the line items', 'made-values')
        check.equal(created.totalMoney, { amount: 4555n, currency }, 'total_money', 'made-values')
        check.equal(created.totalTaxMoney?.amount, 0n, 'total_tax_money')
        const read = (await client.ordersApi.retrieveOrder(created.id)).result.order
        check.wrong.equal([read.id, read.referenceId], [created.id, 'window-4'], 'what is read', 'state')
      },
    },
    {
      name: 'change the quantity of a line item',
      does: 'A sparse order with the uid of a line item changes that only. Version and totals follow.',
      source: 'PUT /v2/orders/{order_id}; "sparse order containing only the fields to update and the version …"',
      needs: 'more',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, locationId, version, lineItems = [] } = kept.order
        const paper = lineItems.find(({ name }) => name === 'Evening paper')
        check(paper?.uid !== undefined, 'the line item has a uid', 'keys')
        const order = { locationId, version, lineItems: [{ uid: paper?.uid, quantity: '5' }] }
        const request = { order, idempotencyKey: 'kiosk-order-window-4-more' }
        const updated = (await client.ordersApi.updateOrder(id, request)).result.order
        check.wrong.equal(updated.id, id, 'the id that is updated', 'keys')
        const read = (await client.ordersApi.retrieveOrder(id)).result.order
        const lines = read.lineItems ?? []
        const quantities = lines.map(({ name, quantity }) => `${quantity} ${name}`).sort()
        check.equal(quantities, ['2 Flat white', '5 Evening paper'], 'the line items')
        check.equal(read.version, version + 1, 'version', 'made-values')
        check.equal(read.totalMoney?.amount, 6005n, 'total_money', 'made-values')
        check.equal([read.referenceId, read.state], ['window-4', 'OPEN'], 'what was not sent', 'state')
      },
    },
    {
      name: 'hold a card payment, twice with one key',
      does: 'Without autocomplete a payment is approved, not completed. Its total has the tip. A repeated key pays once.',
      source: 'POST /v2/payments; "autocomplete: … held in an approved state"; idempotency_key; total_money',
      needs: 'more',
      class: 'first-state',
      async run({ client, kept, check }) {
        const { payment, sent } = await pay(client, kept.location, 'kiosk-payment-1')
        kept.payment = payment
        check(payment.id?.length > 0, `an id (${payment.id})`, 'keys')
        check.equal(payment.amountMoney, sent.amountMoney, 'amount_money', 'values')
        check.equal([payment.locationId, payment.note], [sent.locationId, sent.note], 'location_id and note', 'values')
        check.equal(payment.totalMoney?.amount, 4705n, 'total_money', 'made-values')
        check.wrong(!isFinal(payment), `not in a final state (${payment.status})`)
        check.equal([payment.status, payment.sourceType], ['APPROVED', 'CARD'], 'status and source_type')
        check.equal(payment.cardDetails?.status, 'AUTHORIZED', 'card_details.status')
        check.equal(payment.delayAction, 'CANCEL', 'delay_action')
        check(isRecent(payment.createdAt), `created_at is now (${payment.createdAt})`, 'times')
        const again = await pay(client, kept.location, 'kiosk-payment-1')
        check.wrong.equal(again.payment.id, payment.id, 'the id of the repeated request', 'idempotency')
        const other = await pay(client, kept.location, 'kiosk-payment-2')
        kept.other = other.payment
        check.wrong(other.payment.id !== payment.id, `another id with another key (${other.payment.id})`, 'keys')
      },
    },
    {
      name: 'complete one payment and cancel the other',
      does: 'From approved, one becomes completed with its card captured and a receipt, one canceled with its card voided.',
      source: 'POST /v2/payments/{payment_id}/complete, …/cancel; "only populated for COMPLETED payments"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const ids = [kept.payment.id, kept.other.id]
        const get = async (id) => (await client.paymentsApi.getPayment(id)).result.payment
        const before = [await get(ids[0]), await get(ids[1])]
        check.wrong.equal([before[0].id, before[1].id], ids, 'the ids before', 'keys')
        check.wrong(!before.some(isFinal), 'not in a final state before', 'state')
        check(!before[0].receiptUrl, `no receipt_url before (${before[0].receiptUrl})`, 'first-state')
        const completed = (await client.paymentsApi.completePayment(ids[0], {})).result.payment
        check.wrong.equal([completed.id, completed.note], [ids[0], 'At window 4'], 'id and note', 'keys')
        check.equal((await get(ids[1])).status, 'APPROVED', 'status of the other after the first is completed', 'state')
        const canceled = (await client.paymentsApi.cancelPayment(ids[1])).result.payment
        check.wrong.equal(canceled.id, ids[1], 'the id that is canceled', 'keys')
        const after = [await get(ids[0]), await get(ids[1])]
        check.equal([completed.status, after[0].status], ['COMPLETED', 'COMPLETED'], 'status of the completed one')
        check.equal([canceled.status, after[1].status], ['CANCELED', 'CANCELED'], 'status of the canceled one')
        const cards = after.map((each) => each.cardDetails?.status)
        check.equal(cards, ['CAPTURED', 'VOIDED'], 'card_details.status of both')
        check(after[0].receiptUrl?.length > 0, `receipt_url (${after[0].receiptUrl})`)
        check.equal(after[1].amountMoney?.amount, 4555n, 'amount_money', 'state')
      },
    },
    {
      name: 'list customers by pages and search one',
      does: 'Pages of two with a cursor, newest first, have each customer once. A search by reference finds one.',
      source: 'GET /v2/customers: cursor, limit, sort_field; POST /v2/customers/search: reference_id, exact',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const { queue } = kept
        let seen = []
        let pages
        // A new customer may take some time until it is listed.
        for (let attempt = 0; attempt < 4 && queue.some(({ id }) => countOf(seen, id) === 0); attempt++) {
          if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 300))
          ;({ seen, pages } = await listNewest(client, queue))
        }
        check(pages >= 3, `at least 3 pages (${pages})`)
        const times = seen.map(({ createdAt }) => Date.parse(createdAt))
        const descending = times.toSorted((one, other) => other - one)
        check.equal(times, descending, 'created_at of the listed, newest first', 'filters')
        for (const { id, nickname } of queue) {
          check.wrong.equal(countOf(seen, id), 1, `how often ${nickname} is listed`)
        }
        const filter = { referenceId: { exact: 'queue-Dino' } }
        const found = (await client.customersApi.searchCustomers({ query: { filter } })).result.customers ?? []
        const [, , , dino] = queue
        check.wrong.equal(countOf(found, dino.id), 1, 'how often Dino is found', 'searches')
        const others = found.filter((each) => each.referenceId !== 'queue-Dino').map(({ nickname }) => nickname)
        check.wrong.equal(others, [], 'found although the reference is another', 'searches')
      },
    },
    {
      name: 'delete a customer and a catalog item',
      does: 'A deleted item takes its variation with it. Reading what is deleted is 404, ApiError with NOT_FOUND.',
      source: 'DELETE /v2/customers/{customer_id}, /v2/catalog/object/{object_id}; "a cascading event …"; ErrorCode',
      needs: 'more',
      class: 'deletion',
      follows: ['create a catalog item with its variation'],
      async run({ client, kept, check, fails }) {
        const { id } = kept.customer
        const before = (await client.customersApi.retrieveCustomer(id)).result.customer
        check.wrong.equal(before.id, id, 'the id before', 'state')
        await client.customersApi.deleteCustomer(id)
        const error = await fails(() => client.customersApi.retrieveCustomer(id))
        check.wrong.equal(error.statusCode, 404, 'status')
        check.wrong(error instanceof ApiError, `ApiError (${error})`, 'errors')
        const [{ category, code } = {}] = error.errors ?? []
        check.equal([category, code], ['INVALID_REQUEST_ERROR', 'NOT_FOUND'], 'category and code', 'errors')
        const other = (await client.customersApi.retrieveCustomer(kept.queue[0].id)).result.customer
        check.wrong.equal(other.id, kept.queue[0].id, 'another customer is still read', 'state')
        const [variation] = kept.item.itemData?.variations ?? []
        const item = (await client.catalogApi.retrieveCatalogObject(kept.item.id)).result.object
        check.wrong.equal([item.id, item.itemData?.name], [kept.item.id, 'Semla'], 'the item before', 'state')
        const { deletedObjectIds = [] } = (await client.catalogApi.deleteCatalogObject(kept.item.id)).result
        const expected = [kept.item.id, variation?.id].sort()
        check.equal([...deletedObjectIds].sort(), expected, 'deleted_object_ids')
        for (const gone of expected) {
          const refusal = await fails(() => client.catalogApi.retrieveCatalogObject(gone))
          check.wrong.equal(refusal.statusCode, 404, `status of the catalog object ${gone}`)
        }
      },
    },
    {
      name: 'create a customer without a name',
      does: 'Answers 400, and the library throws ApiError with an invalid request error.',
      source: 'POST /v2/customers; "You must provide at least one of the following values …"; Error',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.customersApi.createCustomer({ note: 'Nobody at the window' }))
        check.wrong.equal(error.statusCode, 400, 'status')
        check.wrong(error instanceof ApiError, `ApiError (${error})`, 'errors')
        const [{ category, code } = {}] = error.errors ?? []
        check.equal(category, 'INVALID_REQUEST_ERROR', 'category', 'errors')
        check(code?.length > 0, `code (${code})`, 'errors')
      },
    },
  ],
}

const dayMs = 86_400_000

async function pay(client, { id: locationId, currency }, idempotencyKey) {
  const sent = {
    idempotencyKey,
    sourceId: 'cnon:card-nonce-ok',
    amountMoney: { amount: 4555n, currency },
    tipMoney: { amount: 150n, currency },
    locationId,
    autocomplete: false,
    note: 'At window 4',
  }
  const { payment } = (await client.paymentsApi.createPayment(sent)).result
  return { sent, payment }
}

/** All pages, newest first, until one has none of the wanted after all were seen; at most 20. */
async function listNewest(client, wanted) {
  const seen = []
  let cursor
  let pages = 0
  while (pages < 20) {
    const { result } = await client.customersApi.listCustomers(cursor, 2, 'CREATED_AT', 'DESC')
    const { customers = [] } = result
    seen.push(...customers)
    pages++
    cursor = result.cursor
    const hasAll = wanted.every(({ id }) => countOf(seen, id) > 0)
    const hasOthersOnly = customers.every(({ id }) => countOf(wanted, id) === 0)
    if (!cursor || (hasAll && hasOthersOnly)) break
  }
  return { seen, pages }
}

function isFinal({ status }) {
  return ['COMPLETED', 'CANCELED', 'FAILED'].includes(status)
}

/** Whether a time is within a day of now. */
function isRecent(text) {
  return Math.abs(new Date(text) - Date.now()) < dayMs
}

function countOf(records, id) {
  return records.filter((each) => each.id === id).length
}
