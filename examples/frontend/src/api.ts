/** The client of the service, with the types of its document. */
import createClient, { type Client } from 'openapi-fetch'
import type { paths } from 'petstore-sandbox'

export type Api = Client<paths>

export function createApi(key: string): Api {
  return createClient<paths>({
    baseUrl: 'https://api.petstore.example/v1',
    headers: { Authorization: `Bearer ${key}` },
  })
}
