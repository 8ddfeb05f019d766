/** openapi-backend on Fastify, set up as in its README: checks keys and requests; the handlers use an array. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { OpenAPIBackend } from 'openapi-backend'

const [, , port, documentFile, dataFile] = process.argv
const { pets } = JSON.parse(readFileSync(dataFile, 'utf8'))
const byId = new Map(pets.map((pet) => [String(pet.id), pet]))
const refuse = (reply, status, message) => reply.code(status).send({ code: 'refused', message, status })

const api = new OpenAPIBackend({
  definition: JSON.parse(readFileSync(documentFile, 'utf8')),
  apiRoot: '/v1',
  quick: true,
  ajvOpts: { coerceTypes: true },
  securityHandlers: { bearerAuth: ({ request }) => request.headers.authorization === 'Bearer sandbox' },
  handlers: {
    listPets({ request: { query } }) {
      const limit = Number(query.limit ?? 20)
      const found = []
      for (let index = pets.length - 1; index >= 0 && found.length < limit; index--) {
        if (query.status === undefined || pets[index].status === query.status) found.push(pets[index])
      }
      return found
    },
    createPet({ request: { requestBody } }, _, reply) {
      const pet = { id: pets.length + 1, ...requestBody }
      pets.push(pet)
      byId.set(String(pet.id), pet)
      reply.code(201)
      return pet
    },
    getPet: ({ request: { params } }, _, reply) => byId.get(params.petId) ?? refuse(reply, 404, 'Animal not found'),
    unauthorizedHandler: (_, __, reply) => refuse(reply, 401, 'An API key is required'),
    validationFail: ({ validation }, _, reply) => refuse(reply, 400, validation.errors[0].message),
    notFound: (_, __, reply) => refuse(reply, 404, 'Path not found'),
  },
})
await api.init()

const server = fastify()
server.route({
  method: ['GET', 'POST'],
  url: '/*',
  handler: async (request, reply) => {
    const { method, url, body, query, headers } = request
    return api.handleRequest({ method, path: url.split('?')[0], body, query, headers }, request, reply)
  },
})
await server.listen({ port: Number(port), host: '127.0.0.1' })
