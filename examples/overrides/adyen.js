// The Management API of Adyen, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

/** Shows the check value of the last key. */
async function generateHmac({ record, next }) {
  const { body } = await next()
  if (record) record.hmacKeyCheckValue = body.hmacKey.slice(-6)
}

/** The domains of a new credential are allowed origins with keys of their own. */
async function createCredential({ params, body, records, next }) {
  const { record } = await next()
  if (!record) return
  const owner = params.merchantId ? { '{merchantId}': params.merchantId } : { '{companyId}': params.companyId }
  record.allowedOrigins = []
  for (const domain of body.allowedOrigins ?? []) {
    const { id } = await records('allowedOrigins').add({ _links: { self: {} }, domain, ...owner })
    record.allowedOrigins.push({ _links: { self: {} }, domain, id })
  }
}

export default defineOverrides({
  'POST /companies/{companyId}/webhooks/{webhookId}/generateHmac': generateHmac,
  'POST /merchants/{merchantId}/webhooks/{webhookId}/generateHmac': generateHmac,
  'POST /companies/{companyId}/apiCredentials': createCredential,
  'POST /merchants/{merchantId}/apiCredentials': createCredential,
})
