// Linode, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  // A clone has copies of all records of its domain.
  'POST /domains/{domainId}/clone': async ({ record: domain, records, next }) => {
    const { record: clone } = await next()
    if (!clone) return
    const all = records('/domains/{domainId}/records')
    const own = await all.list({ '{domainId}': domain.id })
    for (const { id, ...values } of own.reverse()) await all.add({ ...values, '{domainId}': clone.id })
  },
})
