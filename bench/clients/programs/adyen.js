/**
 * A payment platform configures itself with Adyen's Management API: a merchant account with stores, a webhook with its HMAC
 * key, API credentials with allowed origins, and users. JSON, numbered pages with totals, PATCH for updates, nested paths.
 */
import adyen from '@adyen/api-library'

const { Client, ManagementAPI } = adyen

export default {
  connect: ({ address, redirect }) => {
    const server = 'https://management-test.adyen.com/v3'
    redirect({ [server]: address(server) })
    return new ManagementAPI(new Client({ apiKey: 'AQEyhmfxK-test', environment: 'TEST' }))
  },
  steps: [
    {
      name: 'create a merchant account',
      does: 'The company has a new merchant account with an id, which is not active or active, and not closed.',
      source: 'GET /companies; POST /merchants; "**PreActive**: The merchant account has been created"',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const companies = (await client.AccountCompanyLevelApi.listCompanyAccounts()).data ?? []
        check(companies.length > 0, 'the account has a company')
        const companyId = companies[0]?.id ?? 'TramStopCompany'
        const sent = { companyId, description: 'Tram stop kiosks', reference: 'TramStopKiosks' }
        const merchant = await client.AccountMerchantLevelApi.createMerchantAccount(sent)
        kept.merchant = merchant
        check(merchant.id?.length > 0, `an id (${merchant.id})`, 'keys')
        check.equal(merchant.companyId, companyId, 'companyId', 'owners')
        check.equal(merchant.description, 'Tram stop kiosks', 'description', 'values')
        check.equal(merchant.reference, 'TramStopKiosks', 'reference', 'values')
        const read = await client.AccountMerchantLevelApi.getMerchantAccount(merchant.id)
        check.wrong.equal(read.id, merchant.id, 'the id that is read', 'keys')
        check.equal(read.description, 'Tram stop kiosks', 'the description that is read', 'state')
        check.wrong(!/^(Inactive|Closed)/.test(read.status), `not inactive or closed (${read.status})`)
        check(['PreActive', 'Active'].includes(read.status), `status (${read.status})`)
      },
    },
    {
      name: 'create a store',
      does: 'A store of the merchant is active, has an id, and is read at the path of the merchant and at its own.',
      source: 'POST /merchants/{merchantId}/stores; active: "assigned automatically when a store is created"',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const merchantId = kept.merchant.id
        const sent = storeOf('Quay', { reference: 'kiosk-quay' })
        const store = await client.AccountStoreLevelApi.createStoreByMerchantId(merchantId, sent)
        kept.store = store
        check(store.id?.length > 0, `an id (${store.id})`, 'keys')
        check.equal(store.status, 'active', 'status', 'first-state')
        check.equal(store.merchantId, merchantId, 'merchantId', 'owners')
        check.equal([store.reference, store.shopperStatement], ['kiosk-quay', 'Kiosk Quay'], 'texts', 'values')
        check.equal(plain(store.address), sent.address, 'address', 'values')
        const ofMerchant = await client.AccountStoreLevelApi.getStore(merchantId, store.id)
        check.wrong.equal(ofMerchant.id, store.id, 'the id at the path of the merchant')
        check.equal(ofMerchant.description, 'The kiosk Quay', 'description', 'state')
        const own = await client.AccountStoreLevelApi.getStoreById(store.id)
        check.wrong.equal(own.id, store.id, 'the id at its own path')
        check.equal(own.description, 'The kiosk Quay', 'description at its own path', 'state')
      },
    },
    {
      name: 'create stores without a reference',
      does: 'A store that is created without a reference has its id as the reference.',
      source: 'POST /stores; "If you do not provide a reference …, it is populated with the Adyen-generated id"',
      needs: 'document',
      class: 'made-values',
      async run({ client, kept, check }) {
        const merchantId = kept.merchant.id
        const stores = [kept.store]
        for (const name of ['Bridge', 'Depot', 'Market', 'Tower']) {
          const store = await client.AccountStoreLevelApi.createStore({ merchantId, ...storeOf(name) })
          check.equal([store.merchantId, store.description], [merchantId, `The kiosk ${name}`], 'values', 'values')
          check(Boolean(store.id) && store.reference === store.id, `reference is the id (${store.reference})`)
          stores.push(store)
        }
        kept.stores = stores
        check.wrong.equal(new Set(stores.map(({ id }) => id)).size, 5, 'how many ids five stores have', 'keys')
      },
    },
    {
      name: 'list the stores of the merchant by pages, and one by reference',
      does: 'Five stores are three pages of two. The totals say so, each store is on one page, and the last has no next.',
      source: 'GET /merchants/{merchantId}/stores, /stores; "next: Only present if there is a next page"; reference',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const { stores } = kept
        const seen = []
        let page
        let pages = 0
        do {
          pages++
          page = await client.AccountStoreLevelApi.listStoresByMerchantId(kept.merchant.id, pages, 2)
          seen.push(...(page.data ?? []))
          check.equal([page.itemsTotal, page.pagesTotal], [5, 3], `itemsTotal and pagesTotal of page ${pages}`)
        } while (page._links?.next && pages < 20)
        check.equal(pages, 3, 'how many pages there are')
        for (const { id, description } of stores) {
          check.wrong.equal(seen.filter((each) => each.id === id).length, 1, `how often ${description} is listed`)
        }
        const others = seen.filter((each) => each.merchantId !== kept.merchant.id)
        check.wrong.equal(others.length, 0, 'how many stores of other merchants are listed', 'filters')
        const found = await client.AccountStoreLevelApi.listStores(1, 50, 'kiosk-quay', kept.merchant.id)
        check.wrong.equal(idsOf(found.data), [kept.store.id], 'the stores of the reference', 'filters')
        check.equal(found.itemsTotal, 1, 'itemsTotal of the stores of the reference')
      },
    },
    {
      name: 'update a store',
      does: 'Changes what is sent and keeps the rest.',
      source: 'PATCH /merchants/{merchantId}/stores/{storeId}',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id } = kept.store
        const change = { description: 'By the ferry', phoneNumber: '+31384441234' }
        const updated = await client.AccountStoreLevelApi.updateStore(kept.merchant.id, id, change)
        check.wrong.equal(updated.id, id, 'the id that is updated', 'keys')
        const read = await client.AccountStoreLevelApi.getStoreById(id)
        check.wrong.equal(read.id, id, 'the id that is read', 'keys')
        check.equal([updated.description, read.description], ['By the ferry', 'By the ferry'], 'description', 'paths')
        check.equal(read.phoneNumber, '+31384441234', 'phoneNumber', 'paths')
        check.equal([read.reference, read.shopperStatement], ['kiosk-quay', 'Kiosk Quay'], 'what is kept', 'state')
        check.equal(plain(read.address), storeOf('Quay').address, 'the address, which is kept', 'state')
      },
    },
    {
      name: 'deactivate and close a store',
      does: 'An active store becomes inactive, then closed. Another store stays active.',
      source: 'PATCH /stores/{storeId}; "**inactive** … **closed**. This status is irreversible."',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const [, , { id }, other] = kept.stores
        const before = await client.AccountStoreLevelApi.getStoreById(id)
        check.wrong.equal(before.id, id, 'the id before', 'keys')
        check.equal(before.status, 'active', 'status before', 'first-state')
        for (const status of ['inactive', 'closed']) {
          const updated = await client.AccountStoreLevelApi.updateStoreById(id, { status })
          const read = await client.AccountStoreLevelApi.getStoreById(id)
          check.wrong.equal([updated.id, read.id], [id, id], `the id of the ${status} store`, 'keys')
          check.equal([updated.status, read.status], [status, status], `status of the ${status} store`)
        }
        const still = await client.AccountStoreLevelApi.getStoreById(other.id)
        check.wrong.equal([still.id, still.status], [other.id, 'active'], 'another store', 'state')
      },
    },
    {
      name: 'set up a webhook',
      does: 'The webhook has an id and no error. It tells that it has a password, not the password. It is listed.',
      source: 'POST /merchants/{merchantId}/webhooks; "Indicates if the webhook is password protected"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const merchantId = kept.merchant.id
        const url = 'https://hooks.kiosk.test/payments'
        const sent = { type: 'standard', url, active: true, communicationFormat: 'soap', username: 'tram' }
        const request = { ...sent, password: 'bell-rings-2', populateSoapActionHeader: true }
        const webhook = await client.WebhooksMerchantLevelApi.setUpWebhook(merchantId, request)
        kept.webhook = webhook
        check(webhook.id?.length > 0, `an id (${webhook.id})`, 'keys')
        for (const [name, value] of Object.entries(sent)) check.equal(webhook[name], value, name, 'values')
        check.equal([webhook.hasPassword, webhook.hasError], [true, false], 'hasPassword and hasError')
        check.equal(webhook.acceptsExpiredCertificate, false, 'acceptsExpiredCertificate')
        const read = await client.WebhooksMerchantLevelApi.getWebhook(merchantId, webhook.id)
        check.wrong.equal([read.id, read.url], [webhook.id, url], 'id and url that are read', 'state')
        const { data = [] } = await client.WebhooksMerchantLevelApi.listAllWebhooks(merchantId)
        check.wrong.equal(data.filter(({ id }) => id === webhook.id).length, 1, 'how often it is listed', 'state')
      },
    },
    {
      name: 'update the webhook',
      does: 'Becomes inactive with another URL, and keeps its format, user and password.',
      source: 'PATCH /merchants/{merchantId}/webhooks/{webhookId}',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const path = [kept.merchant.id, kept.webhook.id]
        const change = { active: false, url: 'https://hooks.kiosk.test/night', description: 'Not by day' }
        const updated = await client.WebhooksMerchantLevelApi.updateWebhook(...path, change)
        check.wrong.equal(updated.id, kept.webhook.id, 'the id that is updated', 'keys')
        const read = await client.WebhooksMerchantLevelApi.getWebhook(...path)
        check.wrong.equal(read.id, kept.webhook.id, 'the id that is read', 'keys')
        for (const [name, value] of Object.entries(change)) check.equal(read[name], value, name, 'values')
        check.equal([read.communicationFormat, read.username], ['soap', 'tram'], 'what is kept', 'state')
        check.equal(read.hasPassword, true, 'hasPassword', 'state')
      },
    },
    {
      name: 'generate an HMAC key of the webhook',
      does: 'Each key is new, 64 hexadecimal digits. The webhook has the check value of the last one.',
      source: 'POST …/webhooks/{webhookId}/generateHmac; "The checksum of the HMAC key generated for …"',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const path = [kept.merchant.id, kept.webhook.id]
        const first = await client.WebhooksMerchantLevelApi.generateHmacKey(...path)
        const after = await client.WebhooksMerchantLevelApi.getWebhook(...path)
        const second = await client.WebhooksMerchantLevelApi.generateHmacKey(...path)
        const last = await client.WebhooksMerchantLevelApi.getWebhook(...path)
        check(/^[\dA-F]{64}$/i.test(first.hmacKey), `hmacKey (${first.hmacKey})`)
        check(first.hmacKey !== second.hmacKey, 'the second key is another')
        check.wrong.equal(after.id, kept.webhook.id, 'the id of the webhook', 'keys')
        check(after.hmacKeyCheckValue?.length > 0, `hmacKeyCheckValue (${after.hmacKeyCheckValue})`, 'made-values')
        const values = [after.hmacKeyCheckValue, last.hmacKeyCheckValue]
        check(values[0] !== values[1], `the check value changes with the key (${values})`, 'made-values')
      },
    },
    {
      name: 'create an API credential and replace its key',
      does: 'An active credential has a user name, a password and keys, which are told once. A generated key is another.',
      source: 'POST, GET …/apiCredentials; …/generateApiKey; ApiCredential has no apiKey and password',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check, exchanges }) {
        const merchantId = kept.merchant.id
        const sent = { description: 'Till of the kiosks', allowedOrigins: ['https://till.kiosk.test'] }
        const credential = await client.APICredentialsMerchantLevelApi.createApiCredential(merchantId, sent)
        kept.credential = credential
        check(credential.id?.length > 0, `an id (${credential.id})`, 'keys')
        check.equal([credential.description, credential.active], ['Till of the kiosks', true], 'description, active')
        check(/^ws/.test(credential.username), `a username that begins with ws (${credential.username})`)
        check(credential.apiKey?.length > 0 && credential.clientKey?.length > 0, 'apiKey and clientKey')
        const domains = credential.allowedOrigins?.map(({ domain }) => domain)
        check.equal(domains, ['https://till.kiosk.test'], 'allowedOrigins', 'values')
        const read = await client.APICredentialsMerchantLevelApi.getApiCredential(merchantId, credential.id)
        check.wrong.equal(read.id, credential.id, 'the id that is read', 'keys')
        check.equal([read.description, read.username], [sent.description, credential.username], 'what is read', 'state')
        const body = JSON.parse(String(exchanges().at(-1).received))
        check(!('apiKey' in body) && !('password' in body), 'apiKey and password are not told again')
        const { apiKey } = await client.APIKeyMerchantLevelApi.generateNewApiKey(merchantId, credential.id)
        check(apiKey?.length > 0 && apiKey !== credential.apiKey, 'the generated key is another', 'actions')
      },
    },
    {
      name: 'add and remove an allowed origin of the credential',
      does: 'The added domain is in the list with an id until it is deleted. The first one stays.',
      source: 'POST, GET, DELETE /merchants/{merchantId}/apiCredentials/{apiCredentialId}/allowedOrigins',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const path = [kept.merchant.id, kept.credential.id]
        const api = client.AllowedOriginsMerchantLevelApi
        const list = async () => (await api.listAllowedOrigins(...path)).data ?? []
        const domain = 'https://app.kiosk.test'
        await api.createAllowedOrigin(...path, { domain })
        const during = await list()
        const domains = during.map((each) => each.domain).sort()
        check.wrong.equal(domains, ['https://app.kiosk.test', 'https://till.kiosk.test'], 'the domains after adding')
        const { id } = during.find((each) => each.domain === domain) ?? {}
        check(id?.length > 0, `the origin has an id (${id})`, 'keys')
        const read = await api.getAllowedOrigin(...path, id)
        check.wrong.equal([read.id, read.domain], [id, domain], 'id and domain that are read', 'keys')
        await api.deleteAllowedOrigin(...path, id)
        const after = (await list()).map((each) => each.domain)
        check.wrong.equal(after, ['https://till.kiosk.test'], 'the domains after the deletion', 'deletion')
      },
    },
    {
      name: 'create, find and deactivate a user',
      does: 'A new user is active. A part of the user name finds the user. PATCH makes it inactive and keeps the name.',
      source: 'POST, GET, PATCH /merchants/{merchantId}/users; "username: The partial or complete username …"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const merchantId = kept.merchant.id
        const api = client.UsersMerchantLevelApi
        const create = (firstName, lastName) => {
          const email = `${firstName}.${lastName}@kiosk.test`.toLowerCase()
          const sent = { name: { firstName, lastName }, email, username: email, timeZoneCode: 'Europe/Lisbon' }
          return api.createNewUser(merchantId, sent)
        }
        const user = await create('Ines', 'Caldeira')
        const other = await create('Rui', 'Pestana')
        check.wrong(user.id !== other.id && user.id?.length > 0, `two ids (${user.id}, ${other.id})`, 'keys')
        check.equal([user.active, user.timeZoneCode], [true, 'Europe/Lisbon'], 'active and timeZoneCode', 'first-state')
        check.equal(plain(user.name), { firstName: 'Ines', lastName: 'Caldeira' }, 'name', 'values')
        const { data } = await api.listUsers(merchantId, 1, 50, 'ines.cald')
        check.wrong.equal(idsOf(data), [user.id], 'the users of that user name')
        await api.updateUser(merchantId, user.id, { active: false })
        const read = await api.getUserDetails(merchantId, user.id)
        check.wrong.equal(read.id, user.id, 'the id that is read', 'keys')
        check.equal([read.active, read.email], [false, 'ines.caldeira@kiosk.test'], 'active and email', 'actions')
        const still = await api.getUserDetails(merchantId, other.id)
        check.wrong.equal([still.id, still.active], [other.id, true], 'the other user', 'state')
      },
    },
    {
      name: 'remove the webhook and get it',
      does: 'Answers 204. The webhook is in the list before, not after. Reading it fails with HttpClientException.',
      source: 'DELETE, GET /merchants/{merchantId}/webhooks/{webhookId}; RestServiceError',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails, exchanges }) {
        const path = [kept.merchant.id, kept.webhook.id]
        const list = async () => idsOf((await client.WebhooksMerchantLevelApi.listAllWebhooks(path[0])).data)
        check.wrong((await list()).includes(path[1]), 'in the list before', 'state')
        await client.WebhooksMerchantLevelApi.removeWebhook(...path)
        check.equal(exchanges().at(-1).status, 204, 'status of the removal')
        check.wrong(!(await list()).includes(path[1]), 'not in the list after')
        const error = await fails(() => client.WebhooksMerchantLevelApi.getWebhook(...path))
        checkError(error, check, (status) => status >= 400 && status < 500)
      },
    },
    {
      name: 'create a store without a shopper statement',
      does: 'Answers that the request is not valid, and the library throws HttpClientException with the problem.',
      source: 'POST /stores; shopperStatement is required; 422: RestServiceError',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const { shopperStatement, ...sent } = storeOf('Nowhere')
        const request = { merchantId: kept.merchant.id, ...sent }
        const error = await fails(() => client.AccountStoreLevelApi.createStore(request))
        checkError(error, check, (status) => [400, 422].includes(status))
      },
    },
  ],
}

function storeOf(name, more) {
  const address = { city: 'Zwolle', country: 'NL', line1: `${name} 7`, postalCode: '8011 AB' }
  const texts = { description: `The kiosk ${name}`, shopperStatement: `Kiosk ${name}`, phoneNumber: '+31384440000' }
  return { ...texts, address, ...more }
}

function checkError(error, check, isRight) {
  check.wrong(isRight(error.statusCode), `status (${error.statusCode})`, 'errors')
  check.wrong.equal(error.name, 'HttpClientException', 'class of the error', 'errors')
  const { type, title, detail, status } = readJson(error.responseBody)
  check(/^https:\/\/docs\.adyen\.com\/errors/.test(type), `type of the problem (${type})`, 'errors')
  check(title?.length > 0 && detail?.length > 0, `title and detail (${title}, ${detail})`, 'errors')
  check.equal(status, error.statusCode, 'status in the body', 'errors')
  check(String(error.errorCode ?? '').length > 0, `errorCode (${error.errorCode})`, 'errors')
}

/** Without what the library adds as undefined. */
function plain(record = {}) {
  return JSON.parse(JSON.stringify(record))
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function idsOf(records = []) {
  return records.map(({ id }) => id).sort()
}
