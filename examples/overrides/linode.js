// Linode, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  // A clone has copies of all records of its domain.
  'POST /domains/{domainId}/clone': async ({ params, records, next }) => {
    const given = await next()
    if (!given.record) return
    const all = records('/domains/{domainId}/records')
    const own = await all.list({ '{domainId}': params.domainId })
    for (const { id, ...values } of own.reverse()) await all.add({ ...values, '{domainId}': given.record.id })
  },
})
