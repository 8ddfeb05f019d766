import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  'POST /sales': async ({ body, records, refuse, next }) => {
    const item = await records('items').get(body.item)
    if (!item || item.stock < 1) return refuse(409, 'The item is sold out')
    await records('items').update(body.item, { stock: item.stock - 1 })
    return next()
  },
})
