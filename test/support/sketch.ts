/** Writes documents from short sketches of their operations. */
import { plainHabits } from './plain-habits.js'

export type Schema = Record<string, unknown>

/** The body of an answer: a schema, or null for none. */
export type Answered = Schema | null

/** An operation: what it takes, and what it answers by status. */
export interface Sketch {
  id?: string
  summary?: string
  body?: Schema
  /** The media type of the body. @default application/json */
  type?: string
  /** The media type of the answers. @default application/json */
  answers?: string
  /** Names of query parameters, which are texts. Those with a `!` are required. */
  query?: readonly string[]
  /** The links of its success: operations by id, each with the values of its parameters. */
  links?: Record<string, Record<string, string>>
  200?: Answered
  201?: Answered
  202?: Answered
  204?: Answered
  401?: Answered
  403?: Answered
  404?: Answered
  409?: Answered
  422?: Answered
}

export const text: Schema = { type: 'string' }
export const integer: Schema = { type: 'integer' }
export const time: Schema = { type: 'string', format: 'date-time' }
export const flag: Schema = { type: 'boolean' }

/** An object in which the properties with a `!` are required. */
export function object(properties: Record<string, Schema>): Schema {
  const required = Object.keys(properties).flatMap((name) => (name.endsWith('!') ? name.slice(0, -1) : []))
  const plain = Object.entries(properties).map(([name, schema]) => [name.replace('!', ''), schema])
  return { type: 'object', required, properties: Object.fromEntries(plain) }
}

export function list(items: Schema): Schema {
  return { type: 'array', items }
}

export function oneOfTexts(...values: string[]): Schema {
  return { type: 'string', enum: values }
}

/** A schema of `components`. */
export function named(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * @param operations by method and path: `GET /books/{bookId}`. Path parameters are integers, or texts if their name ends in
 * `Name`, `Code` or `Key`.
 */
export function toDocument(operations: Record<string, Sketch>, schemas: Record<string, Schema> = {}): string {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, sketch] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(path, sketch) }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Sketch', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths,
    components: { schemas },
    ...plainHabits,
  })
}

function toOperation(
  path: string,
  {
    id,
    summary,
    body,
    type = 'application/json',
    answers: answerType = 'application/json',
    query = [],
    links,
    ...answers
  }: Sketch,
): unknown {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /(Name|Code|Key)$/.test(name) ? text : integer,
  }))
  const responses = Object.entries(answers).map(([status, schema]) => {
    const content = schema && { content: { [answerType]: { schema } } }
    const linked = links && status.startsWith('2') && { links: Object.fromEntries(Object.entries(links).map(toLink)) }
    return [status, { description: status, ...content, ...linked }]
  })
  return {
    ...(id === undefined ? {} : { operationId: id }),
    ...(summary === undefined ? {} : { summary }),
    parameters: [...inPath, ...query.map(toQueryParameter)],
    ...(body && { requestBody: { content: { [type]: { schema: body } } } }),
    responses: Object.fromEntries(responses),
  }
}

function toLink([operationId, parameters]: [string, Record<string, string>]): [string, unknown] {
  return [operationId, { operationId, parameters }]
}

function toQueryParameter(name: string): unknown {
  return { name: name.replace('!', ''), in: 'query', schema: text, ...(name.endsWith('!') && { required: true }) }
}
