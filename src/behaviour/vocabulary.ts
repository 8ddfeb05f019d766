/**
 * The words of corrections: `x-sandbox-service`, `x-sandbox-resource` and `x-sandbox-effect`. These JSON Schemas are the table by which corrections
 * are read; `spec/` has the same ones for editors.
 */

/** The part of JSON Schema that corrections need. */
export interface Vocabulary {
  /** What a value must be, in messages: `a list of texts` */
  title?: string
  description?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'boolean'
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  properties?: Readonly<Record<string, Vocabulary>>
  required?: readonly string[]
  additionalProperties?: false | Vocabulary
  items?: Vocabulary
  /** The first one of the type of a value counts. */
  anyOf?: readonly Vocabulary[]
}

const text = (description: string): Vocabulary => ({ description, type: 'string', title: 'a string' })
const path = (description: string): Vocabulary => ({
  ...{ description, type: 'string', title: 'a path such as /shops/{shop}/orders', pattern: '^/' },
})
const pointer = (description: string): Vocabulary => ({
  ...{ description, type: 'string', title: 'a JSON Pointer such as /data', pattern: '^(/[^/]*)*$' },
})
const texts = (description: string): Vocabulary => ({
  ...{ description, type: 'array', title: 'a list of strings', items: { type: 'string', title: 'a string' } },
})
const map = (description: string, additionalProperties: Vocabulary): Vocabulary => ({
  ...{ description, type: 'object', title: 'an object', additionalProperties },
})

/** Takes back what is inferred. */
export const nothing = '$none'

const duration: Vocabulary = {
  ...{ type: 'string', title: 'a duration such as 500ms, 5s, 2m, 1h or 1d', pattern: '^\\d+(\\.\\d+)?(ms|s|m|h|d)$' },
}

export const lifecycle: Vocabulary = {
  title: 'an object or false',
  description: 'The states through which new records pass as the clock does. false: only requests change their state.',
  anyOf: [
    { const: false },
    {
      type: 'object',
      additionalProperties: false,
      required: ['property', 'from', 'to'],
      properties: {
        property: text('The property with the state.'),
        from: { description: 'The state of a new record.' },
        to: {
          ...{ description: 'The states that follow, in their order.', type: 'array', title: 'a list of states' },
          items: {
            ...{ type: 'object', title: 'a state such as { after: 5s, value: running }', additionalProperties: false },
            required: ['after', 'value'],
            properties: {
              after: { ...duration, description: 'How long the state before it lasts.' },
              value: { description: 'The state.' },
              sets: map(
                'What else a record has from then on: values, $now, or $elapsed: the time since the job began.',
                {},
              ),
            },
          },
        },
        fail: {
          ...{ description: 'The share of records that fail in place of the last state.', type: 'number' },
          ...{ title: 'a number from 0 to 1', minimum: 0, maximum: 1 },
        },
        failed: { description: 'The state of a record that failed. Without it: the state that is named so.' },
      },
    },
  ],
}

const reference: Vocabulary = {
  title: 'a path, $none, or an object with "to"',
  anyOf: [
    { type: 'string', title: 'a path or $none', pattern: '^(/|\\$none$)' },
    {
      type: 'object',
      additionalProperties: false,
      required: ['to'],
      properties: {
        to: path('The path of the collection.'),
        strict: {
          description: 'Whether a request with the key of no record is refused.',
          ...{ type: 'boolean', title: 'true or false' },
        },
      },
    },
  ],
}

const id = (name: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `https://petstore-sandbox.example/sandbox-${name}.schema.json`,
  title: `x-sandbox-${name}`,
})

/** Who says them is a recording. */
const recorded = map(
  'What recordings show of lines, each by its member and what it is about: answer /status.',
  text(''),
)

const unknownKeys: Vocabulary = {
  description:
    'What a key has that nothing has shown. sample: a record until it is removed; shown: one only for what is below it; empty: one only below owners without records; none.',
  ...{ type: 'string', enum: ['none', 'sample', 'shown', 'empty'] },
}

export const resourceVocabulary: Vocabulary = {
  ...id('resource'),
  description: 'Corrects what petstore-sandbox infers about the records of a path, a schema or a tag.',
  type: 'object',
  additionalProperties: false,
  properties: {
    key: text('The property that holds the key. In braces: only the path parameter has it.'),
    keys: texts('Further properties with keys that the service makes.'),
    record: pointer('Where answers have a record, as a JSON Pointer. Empty for the whole body.'),
    request: pointer('Where requests have a record, as a JSON Pointer.'),
    owner: map('The properties with the keys of the owners, each with the path of their collection.', path('')),
    references: map('Properties with the keys of other records, each with the path of their collection.', reference),
    unique: texts('Properties that no two records have the same value of.'),
    first: map('What a new record has that its request does not give: a value as in changes, or $none.', {}),
    lifecycle,
    made: map(
      'Texts made from other values, such as "{first} {last}"; $count.items, $slug.name, $version, or $none.',
      text(''),
    ),
    names: map(
      'Names in requests, each with the property of the record, the place of a text in a list of objects (/origins/domain), or $none.',
      text(''),
    ),
    environment: text('The server, or its environment, whose records requests to all servers see.'),
    unknown: unknownKeys,
    recorded,
  },
}

const choice = (description: string, ...allowed: string[]): Vocabulary => ({
  ...{ description, type: 'string', enum: allowed },
})

/** Habits: what a service does everywhere unless a line about a collection or an operation says otherwise. */
export const serviceVocabulary: Vocabulary = {
  ...id('service'),
  description: 'Corrects what petstore-sandbox takes for the habits of the whole service.',
  ...{ type: 'object', title: 'an object' },
  additionalProperties: false,
  properties: {
    optional: choice(
      'What a new record has in optional properties without a value. null: null, where the schema allows it; empty: null, or else an empty text, list or map, 0 or false; absent: nothing; sent: nothing, not even what a name suggests.',
      ...['null', 'empty', 'absent', 'sent'],
    ),
    order: choice('The order of lists of which nothing else says one.', 'oldest', 'newest'),
    unknownProperties: choice(
      'What happens to properties of requests that no schema names, where it allows any.',
      ...['dropped', 'kept'],
    ),
    unknownKeys,
    keys: choice('The form of keys that may be any text.', 'number', 'uuid'),
    times: choice('The form of times in numbers of which nothing says one.', 'seconds', 'milliseconds'),
    errors: {
      description: 'The bodies of errors that the document does not describe.',
      ...{ type: 'object', title: 'an object with "body"', additionalProperties: false, required: ['body'] },
      properties: {
        body: {
          description:
            'The body: texts in it such as $message, $code, $status, $phrase, $time, $path, $id, $keyword, $pointer, $field and $steps are facts about the refusal; a list has one item for each violation; { "$place": item } has one member for each.',
        },
        invalid: { description: 'The body for requests that break the contract.' },
        unauthorized: { description: 'The body for requests without valid credentials.' },
        mediaType: text('The media type. Default: application/json'),
      },
    },
    recorded,
  },
}

const value: Vocabulary = {
  description:
    'A constant; $request.body#/x, $request.path.x, $request.query.x, $request.header.x; $record#/x; $related.property#/x; $now; $add.1; $add.$record#/x; $remove.$record#/x; $none. Texts, lists and objects may have values in them.',
}

export const effects: readonly string[] = [
  ...['list', 'create', 'read', 'replace', 'update', 'remove', 'action', 'example', 'undescribed'],
]

/** What an error may be about: why a step refuses a request. See `reasonsOf` for the three parts of `invalid_request`. */
export const reasonsOfErrors: readonly string[] = [
  ...[
    'invalid_request',
    'missing_value',
    'invalid_parameter',
    'invalid_syntax',
    'incomplete_body',
    'unsupported_media_type',
    'payload_too_large',
    'malformed_path',
  ],
  ...['not_found', 'conflict', 'not_acceptable', 'removed', 'unauthorized', 'unavailable'],
]

const effect: Vocabulary = { enum: effects, type: 'string', description: 'What the operation does to the state.' }

const status: Vocabulary = { type: 'number', title: 'a status from 200 to 599', minimum: 200, maximum: 599 }
const error: Vocabulary = {
  title: 'a status or an object',
  anyOf: [
    status,
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        status: { ...status, description: 'The status of the answer.' },
        code: text('The code in the documented body.'),
        body: {
          description:
            'The whole body, in place of the documented one, which $response has. It may have runtime expressions.',
        },
      },
    },
  ],
}

/** How a parameter compares its value with that of a record. */
export const comparisons = ['is', 'above', 'from', 'below', 'to', 'text', 'start', 'end'] as const

const filter: Vocabulary = {
  title: 'a property, $none, or an object with "property"',
  anyOf: [
    text(''),
    {
      type: 'object',
      additionalProperties: false,
      required: ['property'],
      properties: {
        property: text('The property of the record.'),
        compare: {
          description: 'What its value is, compared with that of the parameter; text, start, end: what contains it.',
          ...{ enum: comparisons, type: 'string' },
        },
        unset: texts('Values of the parameter that choose the records without the property.'),
        all: texts('Values of the parameter that choose all records.'),
      },
    },
  ],
}

export const effectVocabulary: Vocabulary = {
  ...id('effect'),
  title: 'an effect or an object',
  description:
    'Corrects what petstore-sandbox infers for an operation: its effect alone, or an object of what is wrong.',
  anyOf: [
    effect,
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        effect,
        collection: path('The path of the collection, as the document writes it: /shops/{shop}/orders'),
        key: {
          ...text(
            'The property of the record that holds its key, or where requests have the key, as a runtime expression of OpenAPI: $request.body#/token',
          ),
          title: '$request.body#/name, $request.path.name, $request.query.name, $request.header.name or a property',
          pattern: '^([^$]|\\$request\\.((path|query|header)\\..+|body#/[^/]+)$)',
        },
        parameter: text('The path parameter that holds the key of the record.'),
        list: {
          ...text('Where the list is in the body of the success, as a JSON Pointer. Empty for the whole body.'),
          ...{ title: 'a JSON Pointer such as /data', pattern: '^(/[^/]*)*$' },
        },
        record: pointer('Where the record is in the body of the success, as a JSON Pointer.'),
        request: pointer('Where the record is in the body of the request, as a JSON Pointer.'),
        page: {
          ...{ description: 'The parameters that choose a page of the list.', type: 'object', title: 'an object' },
          additionalProperties: false,
          properties: {
            size: text('The parameter with the number of records.'),
            ...Object.fromEntries(
              ['offset', 'page', 'cursor', 'after', 'before'].map((name) => [
                name,
                text(`The parameter with the ${name === 'page' ? 'number of the page' : name}.`),
              ]),
            ),
            first: { description: 'The first offset or page.', type: 'number', title: 'a number', minimum: 0 },
            standard: { description: 'The size without a parameter.', type: 'number', title: 'a number', minimum: 1 },
            order: text(
              'The property that orders the list without a parameter. With a minus in front: the greatest first.',
            ),
          },
        },
        filters: map('Parameters that filter, each with the property of the record, or $none.', filter),
        changes: map('What the record has afterwards.', value),
        needs: map(
          'What the record must have before, or a list of what it may have. Otherwise the answer is a conflict.',
          {},
        ),
        blockedBy: texts('Paths of collections: while one of their records names the record, it is not removed.'),
        related: map('Properties with the key of another record, each with what that record has afterwards.', {
          ...{ type: 'object', title: 'an object', additionalProperties: value },
        }),
        answer: map('What the success has besides the record.', value),
        headers: map(
          'Headers of the success: texts with expressions in braces, such as {$response.body#/id}.',
          text(''),
        ),
        repeated: map('Headers of an answer that is given again, because its idempotency key is known.', text('')),
        status: { ...status, description: 'The status of a success, also one that the document does not have.' },
        errors: {
          ...{ description: 'The status, code or body of an error by its reason.', type: 'object', title: 'an object' },
          additionalProperties: false,
          properties: Object.fromEntries(reasonsOfErrors.map((reason) => [reason, error])),
        },
        starts: {
          ...text('The path of the collection with the record that the answer names, or $none.'),
          ...{ title: 'a path or $none', pattern: '^(/|\\$none$)' },
        },
        method: {
          ...{
            description: 'A further method at the same path. A form in its body may have the query parameters.',
            type: 'string',
          },
          enum: ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'],
        },
        recorded,
      },
    },
  ],
}
