/**
 * Frameworks that generate documents, and what all their services do unless a team changes it. What a document names tells them: at
 * least two signs do, and the name of a product is none. From their public documentation, and from running services of NestJS,
 * Fastify, Express and LoopBack.
 */

/**
 * Where a sign is: the name or description of a response, the name of a schema, of its properties or of a required parameter, an
 * `operationId`, a tag, a path, the media types of one body, an extension, the address of a server.
 */
export type SignPlace =
  | ('schema' | 'properties' | 'response' | 'description' | 'parameter')
  | ('operation' | 'tag' | 'path' | 'media' | 'extension' | 'server')

export interface Framework {
  name: string
  /** A sign counts if at least this share of the names is like it. @default 0, so that one name is enough */
  signs: readonly { in: SignPlace; like: RegExp; share?: number }[]
  /** The bodies of errors, as `x-sandbox-service` has them. */
  errors: { body: unknown; invalid?: unknown; unauthorized?: unknown; mediaType?: string }
  /** The status for bodies that break the contract, where no response says one. @default 400 */
  invalidStatus?: number
  /** The status where a body names a record that does not exist. Absent: it depends on the team. */
  unknownStatus?: 400
  /** Whether a key in a path that has another type breaks the contract, and no record is missing. */
  checksPaths?: true
  /** What new records have in optional properties without a value. Absent: what most services do. */
  optional?: 'null' | 'empty' | 'sent'
}

const detail = '$message'

export const frameworks: readonly Framework[] = [
  {
    name: 'FastAPI',
    signs: [
      { in: 'schema', like: /^HTTPValidationError$/ },
      { in: 'schema', like: /^ValidationError$/ },
      { in: 'operation', like: /_(get|post|put|patch|delete)$/, share: 0.8 },
      { in: 'schema', like: /^Body_\w+_(post|put|patch)$/ },
    ],
    errors: {
      body: { detail },
      invalid: { detail: [{ type: '$keyword', loc: '$steps', msg: '$message' }] },
      unauthorized: { detail: 'Not authenticated' },
    },
    invalidStatus: 422,
    checksPaths: true,
    optional: 'null',
  },
  {
    name: 'NestJS',
    signs: [
      { in: 'operation', like: /^[A-Z]\w*Controller_\w+$/, share: 0.5 },
      { in: 'schema', like: /^(Create|Update)\w+Dto$/ },
      { in: 'schema', like: /\w(Dto|DTO)$/, share: 0.3 },
    ],
    errors: {
      body: { message: '$message', error: '$phrase', statusCode: '$status' },
      invalid: { message: ['$message'], error: '$phrase', statusCode: '$status' },
      unauthorized: { message: '$phrase', statusCode: '$status' },
    },
  },
  {
    name: 'Spring',
    signs: [
      { in: 'tag', like: /-(controller|resource|rest-controller)$/ },
      { in: 'media', like: /^\*\/\*$/ },
      { in: 'schema', like: /^(Pageable|PageableObject|SortObject|Pageablenull)$/ },
      { in: 'schema', like: /^Page[A-Z]\w+$/ },
      { in: 'properties', like: /\bcontent\b.*\btotalElements\b|\btotalElements\b.*\bcontent\b/ },
      { in: 'operation', like: /^[a-z]\w*_\d+$/, share: 0.1 },
    ],
    errors: { body: { timestamp: '$time', status: '$status', error: '$phrase', path: '$path' } },
    optional: 'null',
  },
  {
    name: 'ASP.NET',
    signs: [
      { in: 'media', like: /^application\/json text\/json text\/plain$/ },
      { in: 'media', like: /application\/\*\+json/ },
      { in: 'schema', like: /^(Http)?(Validation)?ProblemDetails$/ },
      {
        in: 'operation',
        like: /^(Get|Post|Put|Delete|Patch)?[A-Z]\w+(Async|_(Get|Post|Put|Delete|Create|Update)\w*)$/,
        share: 0.5,
      },
    ],
    errors: {
      body: { type: 'about:blank', title: '$phrase', status: '$status', traceId: '$id' },
      invalid: {
        ...{ type: 'about:blank', title: 'One or more validation errors occurred.', status: '$status', traceId: '$id' },
        errors: { $place: ['$message'] },
      },
      mediaType: 'application/problem+json',
    },
    optional: 'empty',
  },
  {
    name: 'Django REST framework',
    signs: [
      { in: 'operation', like: /_(list|retrieve|partial_update|destroy)$/, share: 0.4 },
      { in: 'schema', like: /^Paginated\w+List$/ },
      { in: 'schema', like: /^Patched\w+$/ },
      { in: 'properties', like: /^count next previous results$/ },
    ],
    errors: {
      body: { detail },
      invalid: { $place: ['$message'] },
      unauthorized: { detail: 'Authentication credentials were not provided.' },
    },
    unknownStatus: 400,
    optional: 'null',
  },
  {
    name: 'Laravel',
    signs: [
      { in: 'response', like: /^(ModelNotFound|Validation|Authentication|Authorization)Exception$/ },
      { in: 'properties', like: /\bcurrent_page\b.*\blast_page\b/ },
      { in: 'properties', like: /^data links meta$/ },
      { in: 'schema', like: /^(Store|Update)\w+Request$/ },
    ],
    errors: {
      body: { message: '$message' },
      invalid: { message: '$message', errors: { $place: ['$message'] } },
      unauthorized: { message: 'Unauthenticated.' },
    },
    invalidStatus: 422,
    optional: 'null',
  },
  {
    name: 'LoopBack',
    signs: [
      { in: 'extension', like: /^x-(ts-type|typescript-type)$/ },
      { in: 'extension', like: /^x-(controller|operation)-name$/ },
      { in: 'schema', like: /^loopback\.\w+$/ },
      { in: 'schema', like: /\.(Filter|IncludeFilter\.Items|ScopeFilter|Fields|Where)\d?$/ },
    ],
    errors: {
      body: { error: { statusCode: '$status', name: 'Error', message: '$message', code: '$code' } },
      invalid: {
        error: {
          ...{
            statusCode: '$status',
            name: 'UnprocessableEntityError',
            code: 'VALIDATION_FAILED',
            message: '$message',
          },
          details: [{ path: '$pointer', code: '$keyword', message: '$message' }],
        },
      },
    },
    invalidStatus: 422,
    optional: 'sent',
  },
  {
    name: 'Fastify',
    signs: [
      { in: 'description', like: /^Default Response$/, share: 0.3 },
      { in: 'schema', like: /^def-\d+$/ },
      { in: 'path', like: /.\/$/ },
    ],
    errors: {
      body: { statusCode: '$status', error: '$phrase', message: '$message' },
      invalid: { statusCode: '$status', code: 'FST_ERR_VALIDATION', error: '$phrase', message: '$message' },
    },
    optional: 'sent',
  },
  {
    name: 'Go',
    signs: [
      { in: 'schema', like: /^\w+\.[A-Z]\w*$/, share: 0.5 },
      { in: 'extension', like: /^x-go-(name|type)$/ },
      { in: 'extension', like: /^x-go-package$/ },
      { in: 'extension', like: /^x-enum-(varnames|comments)$/ },
    ],
    errors: { body: { message: '$message' } },
  },
  {
    name: 'Rails',
    signs: [
      { in: 'server', like: /\{defaultHost\}/ },
      { in: 'parameter', like: /^api_key$/, share: 0.3 },
      {
        in: 'description',
        like: /^(successful|invalid request|unauthorized|not found|no content|unprocessable (entity|content))$/,
        share: 0.3,
      },
      { in: 'description', like: /^\w+ (found|created|updated|deleted)$/, share: 0.3 },
    ],
    errors: { body: { error: '$message' }, invalid: { errors: { $place: ['$message'] } } },
    invalidStatus: 422,
    optional: 'null',
  },
]
