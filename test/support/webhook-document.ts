/** A document of orders that sends callbacks and webhooks. */
import { plainHabits } from './plain-habits.js'

export function json(schema: object): { content: object } {
  return { content: { 'application/json': { schema } } }
}
export const orderSchema: { $ref: string } = { $ref: '#/components/schemas/Order' }
const answered = (status: string, schema?: object) => ({
  [status]: { description: 'Done', ...(schema && json(schema)) },
})
const one = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

/** An operation of a callback or webhook. */
export function sending(schema: object, more: object = {}): { post: object } {
  return { post: { requestBody: json(schema), responses: { '200': { description: 'Received' } }, ...more } }
}

export interface HookParts {
  openapi?: string
  /** Members of the operation that adds an order. */
  create?: object
  schemas?: object
  components?: object
  /** Members of the document. */
  root?: object
}

export function hookDocument({ openapi = '3.1.0', create, schemas, components, root }: HookParts): string {
  return JSON.stringify({
    openapi,
    ...plainHabits,
    info: { title: 'Orders', version: '1.0.0' },
    servers: [{ url: 'https://orders.example/v1' }],
    security: [{ bearer: [] }],
    paths: {
      '/orders': {
        get: { operationId: 'listOrders', responses: answered('200', { type: 'array', items: orderSchema }) },
        post: {
          operationId: 'createOrder',
          requestBody: { required: true, ...json(orderSchema) },
          responses: answered('201', orderSchema),
          ...create,
        },
      },
      '/orders/{id}': {
        parameters: [one],
        get: { operationId: 'getOrder', responses: answered('200', orderSchema) },
        put: { operationId: 'replaceOrder', requestBody: json(orderSchema), responses: answered('200', orderSchema) },
        delete: { operationId: 'deleteOrder', responses: answered('204') },
      },
      '/hooks': {
        get: {
          operationId: 'listHooks',
          responses: answered('200', { type: 'array', items: { $ref: '#/components/schemas/Webhook' } }),
        },
        post: {
          operationId: 'createHook',
          requestBody: json({ $ref: '#/components/schemas/Webhook' }),
          responses: answered('201', { $ref: '#/components/schemas/Webhook' }),
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      ...components,
      schemas: {
        Order: {
          type: 'object',
          required: ['id', 'item'],
          properties: {
            id: { type: 'integer', readOnly: true },
            item: { type: 'string' },
            status: { type: 'string', enum: ['placed', 'shipped'] },
            secret: { type: 'string', writeOnly: true },
            callbackUrl: { type: 'string' },
          },
        },
        Webhook: {
          type: 'object',
          required: ['id', 'url'],
          properties: { id: { type: 'integer', readOnly: true }, url: { type: 'string' } },
        },
        ...schemas,
      },
    },
    ...root,
  })
}
