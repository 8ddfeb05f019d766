/** Reads `x-sandbox-webhooks`: which webhooks of the document are sent, when and where. See spec/sandbox-webhooks.schema.json. */

import { suggestion } from '../../contract/suggest-closest.js'
import type { Webhook, WebhookUrl } from '../../contract/webhook.js'
import type { DocumentPath, Located, OpenApiDocument, PathItem } from '../../document/document.js'
import { quoteValue } from '../../document/quote-value.js'
import { resolve } from '../../document/references.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { inferOperations } from './infer-webhooks.js'
import { ignored, readDelay, readRetries, readUrl, type WebhookContext } from './webhook-context.js'

/** A webhook that is sent. */
export interface WebhookRule
  extends Pick<Webhook, 'name' | 'on' | 'url'>,
    Partial<Pick<Webhook, 'statuses' | 'delayMs' | 'retries'>> {
  item: Located<PathItem>
}

export const extension = 'x-sandbox-webhooks'
const members: readonly string[] = ['on', 'url', 'status', 'delayMs', 'retries']

/** The path items of the webhooks of a document by name, with their places. */
export function webhooksOf(document: OpenApiDocument): Map<string, { written: unknown; at: DocumentPath }> {
  const found = new Map<string, { written: unknown; at: DocumentPath }>()
  for (const member of ['x-webhooks', 'webhooks'] as const) {
    const items = document[member]
    if (!isObject(items)) continue
    for (const [name, written] of Object.entries(items)) found.set(name, { written, at: [member, name] })
  }
  return found
}

/** What a path item and its operations say of themselves. */
function textOf(item: unknown): string {
  const texts = isObject(item) ? [item, ...Object.values(item).filter(isObject)] : []
  return texts.map(({ summary, description }) => `${summary} ${description}`).join(' ')
}

/** Reads the rules. Wrong parts are noted and left out. */
export function readWebhookRules(context: WebhookContext): WebhookRule[] {
  const { document, notes } = context
  const written = document[extension] ?? {}
  const webhooks = webhooksOf(document)
  if (!isObject(written)) {
    notes.add([extension], `${extension} must be an object with rules by the names of webhooks`, 'it is ignored')
    return []
  }
  const following = inferOperations(
    context,
    new Map(
      [...webhooks].flatMap(([name, item]) => (Object.hasOwn(written, name) ? [] : [[name, textOf(item.written)]])),
    ),
  )
  const inferred = [...webhooks].flatMap(([name, { written: item, at }]): WebhookRule[] => {
    const on = following.get(name) ?? []
    const url = { kind: 'option', isInferred: true } as const
    const toRule = () => [{ name, item: resolve<PathItem>(document, item as PathItem, at), on, url }]
    return on.length === 0 ? [] : notes.attempt(toRule, ignored, [])
  })
  const ruled = Object.entries(written).flatMap(([name, rule]) => {
    const at = [extension, name]
    const webhook = webhooks.get(name)
    if (!webhook) {
      const hint = suggestion(name, [...webhooks.keys()])
      notes.add(at, `The document has no webhook "${name}"${hint}`, ignored)
      return []
    }
    return notes.attempt(
      () => {
        const item = resolve<PathItem>(document, webhook.written as PathItem, webhook.at)
        const known = isObject(rule) ? rule : { on: rule }
        const read = readRule(context, known, at)
        return read ? [{ name, item, ...read }] : []
      },
      ignored,
      [] as WebhookRule[],
    )
  })
  return [...ruled, ...inferred]
}

function readRule(
  context: WebhookContext,
  rule: Record<string, unknown>,
  at: DocumentPath,
): Omit<WebhookRule, 'name' | 'item'> | undefined {
  const { notes } = context
  for (const member of Object.keys(rule)) {
    if (!members.includes(member) && !member.startsWith('x-'))
      notes.add([...at, member], `A webhook has no member "${member}"${suggestion(member, members)}`, 'it is ignored')
  }
  const on = readOperations(context, rule['on'], 'on' in rule ? [...at, 'on'] : at)
  const url = readTarget(context, rule['url'], [...at, 'url'])
  if (on.length === 0 || !url) return undefined
  const statuses = readStatuses(context, rule['status'], [...at, 'status'])
  const delayMs = readDelay(notes, rule['delayMs'], [...at, 'delayMs'])
  const retries = readRetries(notes, rule['retries'], [...at, 'retries'])
  return {
    on,
    url,
    ...(statuses && { statuses }),
    ...(delayMs !== undefined && { delayMs }),
    ...(retries && { retries }),
  }
}

function readOperations({ notes, operations }: WebhookContext, value: unknown, at: DocumentPath): string[] {
  const ids = operations.map(({ id }) => id)
  const all: unknown[] = [value].flat()
  const known = all.filter((each): each is string => {
    if (typeof each === 'string' && ids.includes(each)) return true
    const hint = typeof each === 'string' ? suggestion(each, ids) : ''
    notes.add(at, `on must be the id of an operation or a list of them (got ${quoteValue(each)})${hint}`, ignored)
    return false
  })
  if (all.length === 0) notes.add(at, 'on must name an operation', ignored)
  return [...new Set(known)]
}

function readTarget(context: WebhookContext, value: unknown, at: DocumentPath): WebhookUrl | undefined {
  if (value === undefined) return { kind: 'option' }
  if (typeof value === 'string') return readUrl(context, value, at)
  const { collection, property } = isObject(value) ? value : {}
  if (typeof collection === 'string' && typeof property === 'string') {
    return readCollection(context, { collection, property }, at)
  }
  const must = 'a URL, an expression, or { collection, property } of the records that have one'
  context.notes.add(at, `url must be ${must} (got ${quoteValue(value)})`, ignored)
  return undefined
}

function readCollection(
  { notes, document, collections, records }: WebhookContext,
  target: { collection: string; property: string },
  at: DocumentPath,
): WebhookUrl | undefined {
  const { collection, property } = target
  const names = collections.map(({ name }) => name)
  const record = records.get(collection)
  if (!names.includes(collection) || !record) {
    notes.add([...at, 'collection'], `There is no collection "${collection}"${suggestion(collection, names)}`, ignored)
    return undefined
  }
  const flat = flattenSchema(document, record)
  if (ownValue(Object.fromEntries(flat.properties), property) === undefined && !flat.open) {
    const hint = suggestion(property, [...flat.properties.keys()])
    notes.add([...at, 'property'], `The records of "${collection}" have no property "${property}"${hint}`, ignored)
    return undefined
  }
  return { kind: 'records', collection, property }
}

function readStatuses({ notes }: WebhookContext, value: unknown, at: DocumentPath): string[] | undefined {
  if (value === undefined) return undefined
  const given: unknown[] = [value].flat()
  const all = given.map((each) => (typeof each === 'string' || typeof each === 'number' ? `${each}`.toUpperCase() : ''))
  if (all.length > 0 && all.every((each) => /^[1-5](\d\d|XX)$/.test(each))) return all
  notes.add(
    at,
    `status must be a status such as 201 or 2XX, or a list of them (got ${quoteValue(value)})`,
    'every success counts',
  )
  return undefined
}
