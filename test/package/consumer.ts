/**
 * A program in another project, which uses only the public API. It is type-checked as in that project and run, and its
 * output is compared.
 */
import createClient from 'openapi-fetch'
import {
  type ApiError,
  createSandbox,
  type NewPet,
  type Pet,
  type PetStatus,
  type paths,
  type Sandbox,
  SandboxError,
  type SandboxOptions,
} from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/node'

const status: PetStatus = 'available'
const wanted: NewPet = { name: 'Kim', categoryId: 1, status }
const options: SandboxOptions = { at: '2026-11-21T00:00:00Z', scenario: { pets: [] } }

// @ts-expect-error: the service has no such status.
const gone: PetStatus = 'gone'
// @ts-expect-error: a category is required.
const homeless: NewPet = { name: gone }

const sandbox: Sandbox = createSandbox(options)
const client = createClient<paths>({
  baseUrl: 'https://api.petstore.example/v1',
  headers: { Authorization: 'Bearer sandbox' },
  fetch: (request) => sandbox.fetch(request),
})

const created = await client.POST('/pets', { body: wanted })
const pet: Pet | undefined = created.data
const listed = await client.GET('/pets', { params: { query: { limit: 1, status } } })
const found: Pet[] | undefined = listed.data
const missing = await client.GET('/pets/{petId}', { params: { path: { petId: 404 } } })
const error: ApiError | undefined = missing.error
// @ts-expect-error: there is no such operation.
await client.DELETE('/pets', {})
const refused = await client.POST('/pets', { body: homeless })

const server: RunningServer = await startServer({ ...options, port: 0 })
const overHttp = await fetch(`${server.url}/v1/pets`, { headers: { Authorization: `Bearer ${sandbox.defaultKey}` } })
const body = (await overHttp.json()) as Pet[]
await server.close()

let code = ''
try {
  createSandbox({ scenario: 'no-such-scenario' })
} catch (thrown) {
  if (thrown instanceof SandboxError) code = thrown.code
}

console.log(JSON.stringify({ pet, found, error: error?.code, refused: refused.response.status, body, code }))
