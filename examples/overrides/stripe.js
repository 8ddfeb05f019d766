// Stripe, beside the overlay of the same name.
// petstore-sandbox <the OpenAPI document of Stripe> --overlay ../overlays/stripe.yaml --overrides stripe.js
import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  // A price is paid again and again if the request says how often.
  'POST /v1/prices': async ({ body, next }) => {
    const { record } = await next()
    if (record) record.type = body.recurring ? 'recurring' : 'one_time'
  },
})
