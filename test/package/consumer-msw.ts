/** A test in another project, with MSW in front of a client: type-checked as in that project, and run. */
import { setupServer } from 'msw/node'
import type { Pet } from 'petstore-sandbox'
import { createHandlers, type Handlers, type HandlersOptions, handlers, sandbox } from 'petstore-sandbox/msw'

const options: HandlersOptions = { baseUrl: 'https://pets.example/api', scenario: { pets: [] } }
const own: Handlers = createHandlers(options)

// @ts-expect-error: an address must be a string.
createHandlers({ baseUrl: 5, sandbox })

const server = setupServer(...own.handlers, ...handlers)
server.listen()
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const body = JSON.stringify({ name: 'Kim', categoryId: 1 })
const created = await fetch('https://pets.example/api/pets', { method: 'POST', headers, body })
const pet: Pet = await created.json()
const listed = await fetch('https://api.petstore.example/v1/pets?limit=1', { headers })
server.close()

console.log(JSON.stringify({ status: created.status, pet, kept: own.sandbox.journal.size, listed: listed.status }))
