/** Small documents of the kinds that public APIs have, for tests that use them as a person would. */

/** Nested collections, a list in an envelope, keys that are texts, and integers beyond 2^53. */
const library = `openapi: 3.0.3
info: { title: Library, version: '2' }
servers: [{ url: https://library.example/api }]
security: [{ key: [] }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Author:
      type: object
      required: [slug, name]
      properties:
        slug: { type: string, maxLength: 30 }
        name: { type: string, minLength: 2 }
        born: { type: integer, minimum: 1000 }
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, format: int64 }
        title: { type: string, minLength: 1 }
        isbn: { type: integer, format: int64 }
        tags: { type: array, items: { type: string } }
paths:
  /authors:
    get:
      operationId: listAuthors
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Author' } }
                  total: { type: integer }
    post:
      operationId: addAuthor
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Author' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Author' } } } }
        '400': { description: Wrong }
  /authors/{slug}:
    parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getAuthor
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Author' } } } }
        '404': { description: None }
    delete: { operationId: removeAuthor, responses: { '204': { description: Gone } } }
  /authors/{slug}/books:
    parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listBooks
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /authors/{slug}/books/{id}:
    parameters:
      - { name: slug, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer, format: int64 } }
    get:
      operationId: getBook
      x-sandbox-try: false
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: None }
`

/** Records that refer to others, without any credentials. */
const shop = `openapi: 3.1.0
info: { title: Shop, version: '1' }
components:
  schemas:
    Customer:
      type: object
      required: [id, email]
      properties:
        id: { type: string, format: uuid }
        email: { type: string, format: email }
    Order:
      type: object
      required: [id, customerId, state]
      properties:
        id: { type: integer }
        customerId: { type: string, format: uuid }
        state: { enum: [open, paid, sent] }
        total: { type: number, minimum: 0 }
paths:
  /customers:
    get:
      operationId: listCustomers
      responses:
        '200':
          description: All
          content:
            application/json:
              schema:
                type: object
                required: [customers, next]
                properties:
                  customers: { type: array, items: { $ref: '#/components/schemas/Customer' } }
                  next: { type: [string, 'null'] }
    post:
      operationId: createCustomer
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
  /customers/{customerId}:
    get:
      operationId: getCustomer
      parameters: [{ name: customerId, in: path, required: true, schema: { type: string, format: uuid } }]
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: state, in: query, schema: { enum: [open, paid, sent] } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } }
    post:
      operationId: createOrder
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
  /orders/{orderId}:
    get:
      operationId: getOrder
      deprecated: true
      x-deprecated-since: '2026-01-01T00:00:00Z'
      x-sunset: '2028-03-01T00:00:00Z'
      parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
        '404': { description: None }
`

/** Swagger 2.0: three levels, and names that are keys. */
const tracker = `swagger: '2.0'
info: { title: Tracker, version: '1' }
host: tracker.example
basePath: /v2
produces: [application/json]
consumes: [application/json]
securityDefinitions: { basic: { type: basic } }
security: [{ basic: [] }]
definitions:
  Project:
    type: object
    required: [name]
    properties: { name: { type: string }, isOpen: { type: boolean } }
  Ticket:
    type: object
    required: [number, title]
    properties: { number: { type: integer }, title: { type: string, maxLength: 40 }, labels: { type: object } }
paths:
  /projects:
    get:
      operationId: listProjects
      responses: { '200': { description: All, schema: { type: object, properties: { items: { type: array, items: { $ref: '#/definitions/Project' } }, count: { type: integer } } } } }
    post:
      operationId: createProject
      parameters: [{ name: body, in: body, required: true, schema: { $ref: '#/definitions/Project' } }]
      responses: { '201': { description: Made, schema: { $ref: '#/definitions/Project' } } }
  /projects/{name}:
    get:
      operationId: getProject
      parameters: [{ name: name, in: path, required: true, type: string }]
      responses: { '200': { description: One, schema: { $ref: '#/definitions/Project' } } }
  /projects/{name}/tickets:
    get:
      operationId: listTickets
      parameters: [{ name: name, in: path, required: true, type: string }]
      responses: { '200': { description: All, schema: { type: array, items: { $ref: '#/definitions/Ticket' } } } }
    post:
      operationId: createTicket
      parameters: [{ name: name, in: path, required: true, type: string }, { name: body, in: body, required: true, schema: { $ref: '#/definitions/Ticket' } }]
      responses: { '201': { description: Made, schema: { $ref: '#/definitions/Ticket' } } }
  /projects/{name}/tickets/{number}:
    get:
      operationId: getTicket
      parameters: [{ name: name, in: path, required: true, type: string }, { name: number, in: path, required: true, type: integer }]
      responses: { '200': { description: One, schema: { $ref: '#/definitions/Ticket' } } }
`

export const foreignDocuments: Readonly<Record<'library' | 'shop' | 'tracker', string>> = { library, shop, tracker }
