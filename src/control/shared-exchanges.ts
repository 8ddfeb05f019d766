/** The exchanges of all programs that use a store, in one order: each program appends its own, and reads those of all. */
import { createHash } from 'node:crypto'
import { ownKey } from '../contract/credentials.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import { isObject } from '../json/own-value.js'
import type { Keys } from '../sandbox/credentials/valid-keys.js'
import { createExchanges, type Exchanges } from '../sandbox/facade/exchanges.js'
import { hasMembers, is, listOf, optional } from '../state/commits/read-entry.js'
import type { LoggedText, SharedLog } from '../state/commits/store.js'
import {
  createJournal,
  type Entry,
  type Exchange,
  type ExchangedResponse,
  type Journal,
  type JournalOptions,
} from '../state/journal.js'
import { hashIn, joinNames, ofHash, type WorldId } from '../state/world-id.js'

export interface SharedExchanges {
  /** Those of all programs that are known here. */
  journal: Journal
  /** Those of all programs. Each call first reads what others have appended. */
  exchanges: Exchanges
  /** Removes all exchanges in all programs. */
  clear(): Promise<void>
  /** Appends what is left, and reads no more. */
  end(): Promise<void>
}

export interface SharingOptions {
  hideCredentials: HideCredentials
  idOf: Keys['idOf']
  limits: JournalOptions | undefined
  /** Called with the first failure to append or read after a success. */
  onFailure: (error: unknown) => void
}

/** Longer bodies are left out, so that a thousand exchanges take at most some 30 MB. */
const maxBodyLength = 16 * 1024

/** An exchange without credentials, or the order to forget all before it. */
type Shared = SharedExchange | 'clear'

interface SharedExchange extends Omit<Exchange, 'id' | 'response'> {
  response: Omit<ExchangedResponse, 'body'> & { body?: string; base64?: string }
}

/** Others may have written it. */
const checks = {
  at: is.clockTime,
  notes: listOf(is.text),
  request: (request: unknown) => hasMembers(request, { ...requestChecks, headers: listOf(is.text) }),
  response: (response: unknown) =>
    hasMembers(response, { status: is.count, headers: isObject, body: optional(is.text) }),
}
const requestChecks = { method: is.text, path: is.text, query: is.text, body: optional(is.text) }

/** @param local the exchanges of this program */
export async function shareExchanges(
  local: Journal,
  log: SharedLog,
  { hideCredentials, idOf, limits, onFailure }: SharingOptions,
): Promise<SharedExchanges> {
  const journal = createJournal(limits ?? {}, onFailure)
  const known = createExchanges(journal)
  let last = 0
  let waiting: Exchange[] = []
  let appending: Promise<unknown> = Promise.resolve()
  let isFailing = false

  function receive(texts: readonly LoggedText[]): void {
    for (const { id, text } of texts) {
      if (id <= last) continue
      last = id
      try {
        const shared = JSON.parse(text) as Shared
        if (shared === 'clear') journal.clear()
        else if (hasMembers(shared, checks)) journal.add(toEntry(id, shared))
        else throw new Error('it has another form')
      } catch (error) {
        onFailure(new Error(`the exchange ${id} cannot be read, and is left out: ${(error as Error).message}`))
      }
    }
  }

  function appendWaiting(): void {
    if (waiting.length === 0) return
    const texts = waiting.map((exchange) => JSON.stringify(toShared(exchange, hideCredentials)))
    waiting = []
    appending = append(texts)
  }

  async function append(texts: readonly string[]): Promise<void> {
    const before = appending
    try {
      await Promise.all([before, log.append(texts)])
      isFailing = false
    } catch (error) {
      if (!isFailing) onFailure(error)
      isFailing = true
    }
  }

  async function catchUp(): Promise<void> {
    appendWaiting()
    await appending
    receive(await log.read(last))
  }

  const toFilter = <F extends { key?: string }>(filter: F): F => {
    if (filter.key === undefined) return filter
    const id = idOf(filter.key)
    // What is no key selects nothing: it may be the hash that is kept in place of one.
    return { ...filter, key: id === undefined ? '' : toSharedKey(id) }
  }

  await catchUp()
  const unfollow = await log.follow(last, receive)
  const unsubscribe = local.subscribe((exchange) => {
    if (waiting.length === 0) setImmediate(appendWaiting)
    waiting.push(exchange)
  })
  return {
    journal,
    exchanges: {
      async list(filter = {}) {
        await catchUp()
        return known.list(toFilter(filter))
      },
      async wait(filter = {}, options = {}) {
        await catchUp()
        return known.wait(toFilter(filter), options)
      },
    },
    async clear() {
      appendWaiting()
      await appending
      await log.append([JSON.stringify('clear' satisfies Shared)])
      await catchUp()
    },
    async end() {
      unsubscribe()
      appendWaiting()
      await Promise.all([appending, unfollow()])
    },
  }
}

/** Other keys are secret. */
function toSharedKey(id: WorldId): string {
  return ownKey.test(id) || hashIn(id) !== undefined ? id : ofHash(createHash('sha256').update(id).digest('hex'))
}

function toShared(exchange: Exchange, hideCredentials: HideCredentials): SharedExchange {
  const { request, response } = exchange
  const isLong = (request.body?.length ?? 0) + (response.body?.length ?? 0) > maxBodyLength
  const short = isLong ? { ...exchange, ...withoutBodies(exchange) } : exchange
  const { exchange: shown, hide } = hideCredentials(withoutSecretsOfCause(short))
  const { id: _, key, apiKey: ___, source, cause, notes, changes: __, ...others } = shown
  const { body, ...answered } = shown.response
  return {
    ...others,
    key: key === undefined ? key : toSharedKey(joinNames({ ...exchange, key: exchange.key ?? key })),
    source: source === undefined ? source : hide(source),
    cause: cause?.kind === 'repetition' ? { ...cause, key: hide(cause.key) } : cause,
    notes: isLong ? [...notes, 'Its bodies are too long to be shared'] : notes,
    response: {
      ...answered,
      ...(typeof body === 'string' ? { body } : body && { base64: Buffer.from(body).toString('base64') }),
    },
  }
}

function withoutBodies({ request, response }: Exchange): Pick<Exchange, 'request' | 'response'> {
  return { request: { ...request, body: undefined }, response: { ...response, body: undefined } }
}

/** What the sandbox sends may contain any part of the request that caused it, and is not known to be secret any more. */
function withoutSecretsOfCause(exchange: Exchange): Exchange {
  const { sent, request } = exchange
  if (!sent) return exchange
  const url = sent.url.replace(/[?#].*$/s, '')
  return { ...exchange, sent: { ...sent, url }, request: { ...request, query: '', headers: [], body: undefined } }
}

function toEntry(id: number, { request, response, ...others }: SharedExchange): Entry {
  const { headers: requestHeaders, body: requestBody, ...called } = request
  const { base64, body, ...answered } = response
  return {
    ...others,
    ...called,
    ...answered,
    id,
    requestHeaders,
    requestBody,
    body: base64 === undefined ? body : Buffer.from(base64, 'base64'),
  }
}
