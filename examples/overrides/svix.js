// Svix, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  // A message goes to each endpoint that listens to its type of event.
  'POST /api/v1/app/{app_id}/msg/': async ({ record: app, records, next }) => {
    const { record: message } = await next()
    if (!message || !app) return
    const endpoints = await records('/api/v1/app/{app_id}/endpoint/').list({ '{app_id}': app.id })
    for (const { disabled, filterTypes, ...endpoint } of endpoints) {
      if (disabled || (filterTypes?.length && !filterTypes.includes(message.eventType))) continue
      const owners = { '{app_id}': app.id, '{msg_id}': message.id }
      const delivery = { ...endpoint, ...owners, filterTypes, disabled, status: 1 }
      await records('/api/v1/app/{app_id}/msg/{msg_id}/endpoint/').add(delivery)
    }
  },
})
