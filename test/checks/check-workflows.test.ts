/** What `check` finds by following the steps of Arazzo workflows and the links of answers, and in writeOnly properties. */
import { describe, expect, it } from 'vitest'
import { readWorkflows } from '../../src/checks/provider/workflows/workflows.js'
import { type Alter, hold, provide, withJson } from '../support/providers.js'
import { documentOf } from '../support/serve-objects.js'

const tour = {
  type: 'object',
  required: ['id', 'city', 'state'],
  properties: {
    id: { type: 'integer', readOnly: true },
    city: { type: 'string', minLength: 1 },
    seats: { type: 'integer', minimum: 1, default: 4 },
    pin: { type: 'string', writeOnly: true },
    state: { type: 'string', enum: ['open', 'cancelled'], readOnly: true, default: 'open' },
  },
}
const json = (schema: object, more: object = {}) => ({
  description: '',
  content: { 'application/json': { schema } },
  ...more,
})
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const errors = { '4XX': { description: 'no' } }
const readTour = { operationId: 'readTour', parameters: { id: '$response.body#/id' } }
const paths = {
  '/tours': {
    get: { operationId: 'listTours', responses: { '200': json({ type: 'array', items: tour }), ...errors } },
    post: {
      operationId: 'addTour',
      requestBody: { required: true, content: { 'application/json': { schema: tour } } },
      responses: { '201': json(tour, { links: { self: readTour } }), ...errors },
    },
  },
  '/tours/{id}': {
    parameters: [id],
    get: { operationId: 'readTour', responses: { '200': json(tour, { links: { self: readTour } }), ...errors } },
    delete: { operationId: 'removeTour', responses: { '204': { description: 'gone' }, ...errors } },
  },
  '/tours/{id}/cancel': {
    parameters: [id],
    post: { operationId: 'cancelTour', responses: { '200': json(tour), ...errors } },
  },
}
const text = JSON.stringify(documentOf(paths, { servers: [{ url: 'https://tours.example.com' }] }))

const workflows = `
arazzo: 1.0.1
info: { title: Tours, version: 1.0.0 }
sourceDescriptions: [{ name: tours, url: tours.yaml, type: openapi }]
workflows:
  - workflowId: whole
    dependsOn: [book]
    inputs: { $ref: '#/components/inputs/place' }
    steps:
      - stepId: booked
        workflowId: book
        parameters: [{ name: city, value: $inputs.city }]
        outputs: { tour: $outputs.tour }
      - stepId: cancel
        operationPath: '{$sourceDescriptions.tours.url}#/paths/~1tours~1{id}~1cancel/post'
        parameters: [{ reference: $components.parameters.tour, value: $steps.booked.outputs.tour }]
        successCriteria: [{ condition: $statusCode == 200 }]
      - stepId: look
        operationId: readTour
        parameters: [{ name: id, in: path, value: $steps.booked.outputs.tour }]
        successCriteria:
          - condition: $statusCode == 200 && ($response.body#/state == 'Cancelled' || !($response.body.seats >= 1))
          - { context: $response.body, type: jsonpath, condition: '$[?@ == "{$inputs.city}"]' }
          - { context: $response.body#/id, type: regex, condition: '^\\d+$' }
        onSuccess: [{ name: done, type: goto, stepId: remove }]
      - stepId: never
        operationId: readTour
        parameters: [{ name: id, in: path, value: 0 }]
      - stepId: remove
        operationId: removeTour
        parameters: [{ name: id, in: path, value: $steps.booked.outputs.tour }]
      - stepId: gone
        operationId: readTour
        parameters: [{ name: id, in: path, value: $steps.booked.outputs.tour }]
        onFailure: [{ name: right, type: end, criteria: [{ condition: $statusCode == 404 }] }]
        successCriteria: [{ condition: $statusCode == 200 }]
  - workflowId: book
    inputs: { type: object, properties: { city: { type: string, default: Oslo } } }
    steps:
      - stepId: add
        operationId: addTour
        requestBody:
          payload: '{ "city": "x", "seats": {$components.numbers.seats} }'
          replacements: [{ target: /city, value: $inputs.city }]
        successCriteria: [{ condition: $statusCode == 201 && $response.body#/seats < 10 }]
        outputs: { id: $response.body#/id }
    outputs: { tour: $steps.add.outputs.id }
components:
  numbers: { seats: 3 }
  inputs: { place: { type: object, properties: { city: { type: string, default: Bergen } } } }
  parameters: { tour: { name: id, in: path, value: 0 } }
`

async function findingsOf(alter?: Alter, inputs: readonly string[] = []): Promise<string[]> {
  const service = { text, base: '', scenario: { tours: [] } }
  const { findings } = await hold(await provide(service, alter), service, {
    generated: 1,
    workflows: readWorkflows(workflows, 'tours.arazzo.yaml', inputs),
  })
  return findings.map(({ rule, at }) => `${rule} ${at}`)
}

describe('workflows and links', () => {
  it.each([[[]], [['city=Tromsø']]])('have no finding in a provider that keeps them, with %j', async (inputs) => {
    expect(await findingsOf(undefined, inputs)).toEqual([])
  })

  it('show what only a sequence shows', async () => {
    const cancelled = new Set<string>()
    const reopen: Alter = async (asked, next) => {
      const answer = await next()
      const [, key = '', action] = /^\/tours\/(\d+)(\/cancel)?$/.exec(asked.path) ?? []
      if (action && answer.ok) cancelled.add(key)
      const isStale = asked.method === 'GET' && cancelled.has(key) && answer.ok
      return isStale ? withJson(answer, (body) => ({ ...body, state: 'open', seats: 4 })) : answer
    }
    expect(await findingsOf(reopen)).toEqual(['workflow-failed whole/look'])
  })

  it('say where a link leads to a refusal', async () => {
    const other: Alter = async (asked, next) => {
      const answer = await next()
      const isAdded = asked.method === 'GET' && /^\/tours\/\d+$/.test(asked.path) && answer.ok
      return isAdded && asked.headers['x-link'] === undefined
        ? withJson(answer, (body) => ({ ...body, id: Number(body['id']) + 1_000_000 }))
        : answer
    }
    expect(await findingsOf(other)).toContain('link-broken link self')
  })

  it('say which property no answer may show', async () => {
    const show: Alter = async (asked, next) => {
      const answer = await next()
      const { pin } = asked.method === 'POST' && answer.status === 201 ? JSON.parse(asked.body) : {}
      return pin === undefined ? answer : withJson(answer, (body) => ({ ...body, pin }))
    }
    expect(await findingsOf(show)).toContain('write-only-shown pin')
  })
})

describe('a file with workflows that cannot be followed', () => {
  it.each([
    ['no: workflows', 'it has no member "arazzo", which every Arazzo document has'],
    ['arazzo: 2.0.0', 'its version is 2.0.0, and this program reads 1.0'],
    ['arazzo: 1.0.1', 'it has no workflows'],
    ['{ arazzo: 1.0.1, workflows: [{ workflowId: a }] }', 'workflow a has no steps'],
    ['{ arazzo: 1.0.1, workflows: [{ workflowId: a, steps: [{}] }] }', 'step 1 of workflow a has no stepId'],
  ])('is refused: %s', (written, why) => {
    const read = () => readWorkflows(written, 'x.yaml', [])
    expect(read).toThrow(`Failed to read the workflows "x.yaml": ${why}`)
  })

  it.each(['city', '=Oslo'])('is refused with the input "%s"', (input) => {
    expect(() => readWorkflows(workflows, 'x.yaml', [input])).toThrow(`--input takes name=value (got "${input}")`)
  })
})
