/** Adapts the document for other tools: without the quickstart, which has another server. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

const source = new URL('../../spec/petstore.openapi.yaml', import.meta.url)

export async function readDocument() {
  const document = parse(await readFile(source, 'utf8'))
  delete document.paths['/messages']
  delete document.components.schemas.Message
  delete document.components.schemas.NewMessage
  return document
}

/** OpenAPI 3.0 with `allOf` and references in parameters resolved, which Dredd ignores, and an example for the id. */
export async function readDocumentForDredd() {
  const document = await readDocument()
  document.openapi = '3.0.3'
  delete document.info.summary
  const { PetStatus, NewPet, Pet } = document.components.schemas
  NewPet.properties.status = { $ref: '#/components/schemas/PetStatus' }
  const { id } = Pet.allOf[0].properties
  document.components.schemas.Pet = {
    type: 'object',
    required: ['id', ...NewPet.required],
    properties: { id, ...NewPet.properties },
  }
  const { '/pets': pets, '/pets/{petId}': pet } = document.paths
  for (const parameter of pets.get.parameters) if (parameter.name === 'status') parameter.schema = PetStatus
  pets.post.requestBody.content['application/json'].example = { name: 'Rex', categoryId: 3, status: 'available' }
  pet.get.parameters[0].example = 1
  return document
}
