import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  'POST /renders': async ({ next }) => {
    const { record } = await next()
    record.state = 'working'
  },
  // A job has ended when it is asked for the second time. What is broken fails.
  'GET /renders/{id}': async ({ own, record, next }) => {
    own.asked ??= {}
    own.asked[record?.id] = (own.asked[record?.id] ?? 0) + 1
    if (record && own.asked[record.id] > 1) {
      record.state = record.source.includes('broken') ? 'failed' : 'done'
      if (record.state === 'failed') record.error = 'The source cannot be read'
    }
    return next()
  },
})
