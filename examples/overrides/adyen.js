// The Management API of Adyen, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

/** Shows the check value of the last key. */
async function generateHmac({ record, next }) {
  const { body } = await next()
  if (record) record.hmacKeyCheckValue = body.hmacKey.slice(-6)
}

/** The domains of a new credential are allowed origins of their own. */
async function createCredential({ body, records, next }) {
  const given = await next()
  if (given.record) for (const domain of body.allowedOrigins ?? []) await records('allowedOrigins').add({ domain })
  return given
}

export default defineOverrides({
  'POST /companies/{companyId}/webhooks/{webhookId}/generateHmac': generateHmac,
  'POST /merchants/{merchantId}/webhooks/{webhookId}/generateHmac': generateHmac,
  'POST /companies/{companyId}/apiCredentials': createCredential,
  'POST /merchants/{merchantId}/apiCredentials': createCredential,
})
