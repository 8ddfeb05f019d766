/** Compiles the requests that a service sends: the callbacks of its operations, and its webhooks. */
import type { Webhook } from '../../contract/webhook.js'
import {
  type DocumentPath,
  type Located,
  type OperationObject,
  operationsOf,
  type PathItem,
} from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { isObject } from '../../json/own-value.js'
import { compileWebhookRequest } from './compile-webhook-request.js'
import { readWebhookRules } from './read-webhook-rules.js'
import { ignored, readDelay, readRetries, readUrl, type WebhookContext } from './webhook-context.js'

/** The part of a webhook that is known before its request is compiled. */
type Sending = Pick<Webhook, 'name' | 'kind' | 'on' | 'url'> &
  Partial<Pick<Webhook, 'statuses' | 'delayMs' | 'retries'>>

/** @returns an empty list if the service sends nothing */
export function compileWebhooks(context: WebhookContext): Webhook[] {
  const { document, notes } = context
  const callbacks = context.described.flatMap((described, index) => {
    const { value, at } = described
    const id = context.operations[index]?.id ?? described.id
    return Object.entries(value.callbacks ?? {}).flatMap(([name, written]) => {
      const path = [...at, 'callbacks', name]
      return notes.attempt(() => compileCallback(context, id, name, resolve(document, written, path)), ignored, [])
    })
  })
  // One for each operation, because each is another event.
  const webhooks = readWebhookRules(context).flatMap(({ item, on, ...sending }) =>
    on.flatMap((id) => compileItem(context, item, { ...sending, kind: 'webhook', on: [id] })),
  )
  return [...callbacks, ...webhooks]
}

function compileCallback(
  context: WebhookContext,
  id: string,
  name: string,
  { value, path }: Located<Record<string, unknown>>,
): Webhook[] {
  return Object.entries(value).flatMap(([key, written]) => {
    if (key.startsWith('x-') || !isObject(written)) return []
    const at = [...path, key]
    const url = readUrl(context, key, at)
    const item = resolve<PathItem>(context.document, written, at)
    return url ? compileItem(context, item, { name, kind: 'callback', on: [id], url }) : []
  })
}

/** One webhook for each operation of a path item. */
function compileItem(context: WebhookContext, item: Located<PathItem>, sending: Sending): Webhook[] {
  const webhooks = operationsOf(item.value).flatMap(([method, value, place]) =>
    compileOne(context, item, sending, { method, value, at: [...item.path, ...place] }),
  )
  if (webhooks.length === 0) context.notes.add(item.path, `"${sending.name}" has no operation`, ignored)
  return webhooks
}

function compileOne(
  context: WebhookContext,
  item: Located<PathItem>,
  sending: Sending,
  { method, value, at }: { method: string; value: OperationObject; at: DocumentPath },
): Webhook[] {
  const { notes } = context
  const delayMs = readDelay(notes, value['x-sandbox-delay'], [...at, 'x-sandbox-delay']) ?? sending.delayMs
  const retries = readRetries(notes, value['x-sandbox-retries'], [...at, 'x-sandbox-retries']) ?? sending.retries
  const compile = () => [
    {
      ...sending,
      method,
      ...(delayMs !== undefined && { delayMs }),
      ...(retries && { retries }),
      ...compileWebhookRequest(context, sending, item, { value, path: at, method }),
    },
  ]
  return notes.attempt(compile, ignored, [])
}
