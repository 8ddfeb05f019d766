/** Sends the documented examples of requests to one server, other valid requests, and requests for keys that nobody made. */
import { createBuildRequest } from '../documents/build-request.js'
import { createBuildValue } from '../documents/build-value.js'
import { createKeys, lastParameter } from '../documents/collect-keys.js'
import { createSchemas } from '../documents/json-schemas.js'
import { createJudge } from '../documents/judge.js'
import { chooseMedia } from '../documents/write-body.js'

const unknownKeys = ['0e7d1c52-9a55-4c3f-8f5e-6d0b2f1a9c77', 'nobody-made-this', 987654321, '2199-01-01']
const depthOf = ({ path }) => path.split('{').length
/** What makes and lists records comes first, and what removes them last, the deepest first. */
const placeOf = (each) =>
  each.method === 'DELETE' ? 1000 - depthOf(each) : depthOf(each) * 2 + (each.method !== 'GET')

/** @param send resolves to the answer to a request, of which the path is below the server of the operation */
export function createSender({ read, operations, send }) {
  const { document, resolve } = read
  const schemas = createSchemas({ document, resolve, mode: 'request' })
  const buildValue = createBuildValue({ document, schemas })
  const keys = createKeys()
  const { buildParts, write } = createBuildRequest({ schemas, buildValue, resolve, keys })
  const judge = createJudge({ schemas: createSchemas({ document, resolve, mode: 'response' }), resolve })
  const inOrder = [...operations].sort((one, other) => placeOf(one) - placeOf(other))

  return { sendExamples, sendOthers, readUnknown }

  /** @returns a verdict for each request */
  async function sendExamples() {
    const verdicts = []
    for (const operation of inOrder) {
      for (const example of exampleBodies(operation)) {
        // An example needs no other body, which may be impossible to make.
        const { body: _, ...bodiless } = operation
        const parts = tryBuild(example.media === undefined ? operation : bodiless, true)
        // Neither an example is documented, nor can one be made from those of properties.
        if (parts === undefined) continue
        for (const parameter of operation.parameters) {
          const [shown] = examplesOf(parameter)
          if (shown !== undefined) parts.parameters.set(parameter, shown)
        }
        verdicts.push(await exchange(operation, { ...parts, ...example }))
      }
    }
    return verdicts
  }

  /** Sends valid requests that remove nothing. */
  async function sendOthers(count) {
    const others = inOrder.filter(({ method }) => method !== 'DELETE')
    for (let index = 0; index < count; index++) {
      const operation = others[index % others.length]
      const parts = tryBuild(operation, index % 2 === 0)
      if (parts !== undefined) await exchange(operation, parts)
    }
  }

  /** Reads a key that nobody made, of each path that ends with a key. */
  async function readUnknown() {
    const verdicts = []
    for (const operation of inOrder) {
      const last = lastParameter(operation)
      if (operation.method !== 'GET' || last === undefined || !operation.path.endsWith(`{${last.name}}`)) continue
      const parts = tryBuild(operation, true)
      const key = unknownKeys.find((each) => schemas.errorsOf(last.schema, each).length === 0)
      if (parts === undefined || key === undefined) continue
      parts.parameters.set(last, key)
      const request = write(operation, parts)
      const answer = await send(operation, request)
      verdicts.push({ operation, request, answer, isSuccess: answer.status === 404, verdict: `${answer.status}` })
    }
    return verdicts
  }

  async function exchange(operation, parts) {
    const request = write(operation, parts)
    const answer = await send(operation, request)
    if (answer.failure) return { operation, request, isSuccess: false, verdict: answer.failure }
    const { verdict, cause, detail } = judge.judgeSuccess(operation, answer)
    const is2xx = answer.status >= 200 && answer.status < 300
    const ofPath = [...parts.parameters].filter(([parameter]) => parameter.in === 'path')
    const values = Object.fromEntries(ofPath.map(([{ name }, value]) => [name, value]))
    if (is2xx && operation.method === 'DELETE') keys.remove(operation, values)
    else if (is2xx) keys.add(operation, values, parse(answer))
    const isSuccess = verdict === 'ok' || (verdict === 'undescribed' && is2xx)
    return { operation, request, answer, isSuccess, verdict: [verdict, cause, detail].filter(Boolean).join(': ') }
  }

  function tryBuild(operation, isMinimal) {
    try {
      return buildParts(operation, { isMinimal })
    } catch {
      return undefined
    }
  }

  /** The examples of all media types. Without any, one body from the examples of properties, as consoles make it. */
  function exampleBodies(operation) {
    if (operation.body === undefined || operation.method === 'GET') return [{}]
    const shown = operation.body.media.flatMap((each) => {
      const media = chooseMedia([each])
      return examplesOf(each)
        .filter((body) => !media.kind.isXml || typeof body === 'string')
        .map((body) => ({ body, media }))
    })
    if (shown.length > 0) return shown
    const media = chooseMedia(operation.body.media)
    try {
      return [{ body: buildValue(media.schema, { name: 'body', isXml: media.kind.isXml }), media }]
    } catch {
      return [{}]
    }
  }

  function examplesOf({ examples, schema }) {
    const { example, examples: more } = resolve(schema) ?? {}
    const ofSchema = [example, ...(Array.isArray(more) ? more : [])].filter((each) => each !== undefined)
    return examples.length > 0 ? examples : ofSchema
  }
}

function parse({ body }) {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
