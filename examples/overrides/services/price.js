import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  'POST /orders': async ({ next }) => {
    const { record } = await next()
    const total = record.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
    // Ten percent less from 100 on.
    record.total = total < 100 ? total : total * 0.9
  },
})
