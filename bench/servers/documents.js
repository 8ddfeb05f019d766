/** The input of the peers: our document with our animals as examples, and our animals in the format of each peer. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { workFolder } from '../work-folder.js'

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

export const { pets } = JSON.parse(read('fixtures/default.json'))

/** The animals of the first page, newest first. */
const page = pets.toReversed().slice(0, 20)

/** @returns the path of our document as JSON, with success examples of the same size as our answers */
export function writeDocument() {
  const document = parse(read('spec/petstore.openapi.yaml'))
  const give = (path, method, status, example) => {
    document.paths[path][method].responses[status].content['application/json'].example = example
  }
  give('/pets', 'get', '200', page)
  give('/pets', 'post', '201', page[0])
  give('/pets/{petId}', 'get', '200', page[0])
  return write('openapi.json', document)
}

/** @returns the path of a json-server database with the animals; json-server writes to it */
export function writeDatabase(name) {
  return write(`${name}.json`, { pets })
}

/** @returns the path of a Mockoon environment with routes on a data bucket of the animals */
export function writeMockoonEnvironment(port) {
  const response = {
    uuid: '00000000-0000-4000-8000-000000000003',
    body: '{}',
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [],
    bodyType: 'DATABUCKET',
    filePath: '',
    databucketID: 'pets',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  }
  const route = {
    uuid: '00000000-0000-4000-8000-000000000002',
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'pets',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }
  return write('mockoon.json', {
    uuid: '00000000-0000-4000-8000-000000000001',
    lastMigration: 33,
    name: 'Pet Store',
    endpointPrefix: 'v1',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: true,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [
      {
        uuid: '00000000-0000-4000-8000-000000000004',
        id: 'pets',
        name: 'pets',
        documentation: '',
        value: JSON.stringify(pets),
      },
    ],
    callbacks: [],
  })
}

function write(name, value) {
  const file = join(workFolder(), name)
  writeFileSync(file, JSON.stringify(value))
  return file
}
