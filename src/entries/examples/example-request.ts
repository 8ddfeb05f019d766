/** Writes the first example request, for the banner and the page. */
import { withPathKey } from '../../checks/provider/provider-collection.js'
import {
  createDraft,
  type Draft,
  toProviderRequest,
  violationsOf,
  withParameter,
} from '../../checks/provider/requests/request-draft.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { limitNameOf } from '../../contract/effects/list-query.js'
import type { OpenApiDocument } from '../../document/document.js'
import { toParameters } from '../../media/media-type-parameters.js'
import { type MultipartPart, parseMultipart } from '../../media/parse-multipart.js'
import { type FormPart, toCurl, withoutUsual } from '../../media/to-curl.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { World } from '../../sandbox/facade/world.js'
import type { Examples } from './example-draft.js'
import { findPathValues, type PathValues } from './path-values.js'

/** Maximum operations to try for a valid request. */
const maxTried = 20
/** Number of records that a list returns, if the request can limit them. */
const shownRecords = 3

/**
 * Returns a curl command. It works in a POSIX shell, and in every shell if nothing in it needs other quotes.
 * @param document called if the request needs values from the schemas
 * @param origin origin of the sandbox, without a trailing slash
 * @param isGenerated whether each list generates records when it is read, so that none has to be read to find some
 */
export async function writeExampleCurl(
  sandbox: Sandbox,
  document: () => Promise<OpenApiDocument>,
  origin: string,
  isGenerated = false,
): Promise<string> {
  const { contract, defaultKey: key } = sandbox
  let examples: Promise<Examples> | undefined
  const loadExamples = async () => {
    const [{ createExamples }, served] = await Promise.all([import('./example-draft.js'), document()])
    return createExamples(contract, served)
  }
  const draft = await chooseDraft(sandbox, () => (examples ??= loadExamples()), isGenerated)
  const { name } = serverOf(contract, draft.operation)
  const baseUrl = origin + (contract.servers.find((server) => server.name === name)?.mount ?? '')
  const { method, url, headers, body } = toProviderRequest(draft, { baseUrl, contract, key })
  const type = headers.find(([name]) => name === 'Content-Type')?.[1]
  const parts = toFormParts(type, body)
  const target = url.slice(origin.length)
  const line = toCurl({ method, origin, target, headers: withoutUsual(headers.flat()), body: parts ? { parts } : body })
  return /["$`\\!]/.test(line) ? line : line.replaceAll("'", '"')
}

/** The request of the first operation for which a valid one can be made, else an incomplete one. */
async function chooseDraft(sandbox: Sandbox, examples: () => Promise<Examples>, isGenerated: boolean): Promise<Draft> {
  const operations = sandbox.contract.operations.toSorted((one, other) => rankOf(one) - rankOf(other))
  const tried = operations.slice(0, maxTried)
  let emptyList: Draft | undefined
  for (const operation of tried) {
    const draft = await createExample(sandbox, examples, operation)
    if (!draft) continue
    if (operation.effect.kind !== 'list') return emptyList ?? draft
    if (isGenerated || (await hasRecords(sandbox, operation))) return draft
    emptyList ??= draft
  }
  return emptyList ?? createIncomplete(operations[0] as Operation)
}

function createIncomplete(operation: Operation): Draft {
  const inPath = operation.parameters.filter((each) => each.in === 'path')
  return inPath.reduce((draft, { name }) => withParameter(draft, 'path', name, name), createDraft(operation))
}

/** Lists first, then other requests that only read, and those before others that need no values. */
function rankOf({ method, effect, parameters, body, lifecycle }: Operation): number {
  const required = parameters.filter((each) => each.required)
  const isKeyed = required.some((each) => each.in === 'path')
  const rank = method !== 'GET' ? (method === 'POST' ? 4 : 5) : isKeyed ? 3 : effect.kind === 'list' ? 1 : 2
  const isUndescribed = effect.kind === 'undescribed'
  const hasBody = body?.required === true
  const needs = Math.min(required.length + (hasBody ? 1 : 0), 9)
  return (isUndescribed ? 1000 : 0) + (lifecycle.deprecated ? 500 : 0) + rank * 10 + needs
}

async function hasRecords(sandbox: Sandbox, operation: Operation): Promise<boolean> {
  const { effect } = operation
  if (effect.kind !== 'list') return false
  const server = serverOf(sandbox.contract, operation).name
  const isThere = sandbox.contract.collections.some(
    ({ name, servers }) => name === effect.collection && servers.includes(server),
  )
  return isThere && (await sandbox.world().collection(effect.collection, server).list({ limit: 1 })).length > 0
}

/** The first server of the document that has the operation. */
function serverOf({ servers }: RequestContract, operation: Operation): { name: string } {
  return servers.find(({ name }) => operation.servers.includes(name)) ?? { name: operation.servers[0] ?? '' }
}

/**
 * @param examples called if the request needs values from the schemas
 * @param world the world whose records the request uses. @default that of the default key
 * @returns undefined if no valid request can be made
 */
export async function createExample(
  sandbox: Sandbox,
  examples: () => Promise<Examples>,
  operation: Operation,
  world?: World,
): Promise<Draft | undefined> {
  const { contract } = sandbox
  const { effect, parameters, body } = operation
  const isValid = (each: Draft) => violationsOf(contract, each).length === 0
  let example: { draft: Draft | undefined } | undefined
  const found = await findPathValues(sandbox, operation, serverOf(contract, operation).name, world)
  const isNamed = 'parameter' in effect && effect.kind !== 'create' && Boolean(effect.parameter)
  if (isNamed && found.length === 0) return undefined
  for (const path of found.length === 0 ? [new Map<string, unknown>()] : found) {
    const draft = await createWith(path)
    if (draft && isValid(draft)) return withLimit(draft)
  }
  return undefined

  async function createWith(path: PathValues): Promise<Draft | undefined> {
    const needsValues = body?.required || parameters.some(({ name, required }) => required && !path.has(name))
    let draft: Draft | undefined = createDraft(operation)
    if (needsValues) {
      example ??= { draft: (await examples()).draftOf(operation) }
      draft = example.draft
    }
    for (const [name, value] of path) draft = draft && withPathKey(draft, name, value)
    return draft
  }

  function withLimit(draft: Draft): Draft {
    const limit = effect.kind === 'list' ? limitNameOf(effect.query) : undefined
    if (limit === undefined) return draft
    const limited = withParameter(draft, 'query', limit, shownRecords)
    return isValid(limited) ? limited : draft
  }
}

/** Returns undefined for bodies that are not a form, and for forms that curl cannot send. */
function toFormParts(contentType: string | undefined, body: string | undefined): FormPart[] | undefined {
  const boundary = toParameters(contentType ?? '').get('boundary')
  if (body === undefined || !boundary || !/^multipart\/form-data\b/i.test(contentType ?? '')) return undefined
  const parts = parseMultipart(new TextEncoder().encode(body), boundary)
  const canSend = ({ name, filename = '' }: MultipartPart) => !/[=\0]/.test(name) && !filename.includes('\0')
  if (parts.length === 0 || !parts.every(canSend) || body.includes('\0')) return undefined
  return parts.map(({ name, bytes, type, filename }) => ({
    name,
    text: new TextDecoder().decode(bytes),
    filename,
    type,
  }))
}
