import { defineOverrides } from 'petstore-sandbox'

export default defineOverrides({
  'POST /payments': ({ body, refuse, next }) =>
    body.card === '4000000000000002' ? refuse(402, 'The card was declined', { code: 'card_declined' }) : next(),
})
