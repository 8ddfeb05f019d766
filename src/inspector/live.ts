/** Receives exchanges as they come, and what else changes. By `fetch`, because `EventSource` sends no token. */
import { askForToken, authorization, encode, needsToken } from './api.js'
import type { Exchange, Served } from './api-types.js'
import { reloadDocument } from './schema.js'
import {
  addExchanges,
  dataVersion,
  exchanges,
  failure,
  isLive,
  loadAll,
  loadLists,
  served,
  tellRemoved,
} from './store.js'

/** Milliseconds before a lost connection is tried again. */
const retryMs = 1000

/** Never ends. */
export async function receiveExchanges(): Promise<void> {
  // Functions of a program change worlds without a message.
  addEventListener('focus', () => {
    dataVersion.value++
    refreshSoon()
  })
  let wasLost = false
  for (;;) {
    try {
      await receive(wasLost)
    } catch {
      // Tried again.
    }
    isLive.value = false
    wasLost = true
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

async function receive(wasLost: boolean): Promise<void> {
  if (needsToken.value) return
  const after = exchanges.value.at(-1)?.id ?? 0
  const known = served.value ? `&instance=${encode(served.value.instance)}` : ''
  const response = await fetch(`/_sandbox/exchanges/stream?after=${after}${known}`, { headers: authorization() })
  if (!response.ok || !response.body) {
    if (response.status === 401) askForToken()
    return
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    takeEvents(parts.map(readEvent))
    if (isLive.value) continue
    // Another document may be served now, and what could not be read can be.
    if (wasLost || failure.value !== '') {
      await Promise.all([loadAll(), reloadDocument()])
      dataVersion.value++
    }
    isLive.value = true
  }
}

interface StreamEvent {
  name: string | undefined
  data: string | undefined
}

/** HTML Living Standard, section 9.2.6, as far as the sandbox uses it. */
function readEvent(text: string): StreamEvent {
  const lines = text.split('\n')
  const fieldOf = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
  return { name: fieldOf('event'), data: fieldOf('data') }
}

function takeEvents(events: StreamEvent[]): void {
  const come: Exchange[] = []
  for (const { name, data } of events) {
    if (data === undefined) continue
    if (name === undefined) come.push(JSON.parse(data))
    else if (name === 'served') takeServed(JSON.parse(data))
    else if (name === 'change') {
      const { operation, key }: { operation: string; key?: string } = JSON.parse(data)
      if (operation === 'deleteWorld' && key !== undefined) tellRemoved(key)
      dataVersion.value++
      refreshSoon()
    }
  }
  if (come.length === 0) return
  addExchanges(come)
  refreshSoon()
}

function takeServed(next: Served): void {
  // Its exchanges count from 1 again.
  if (served.value && served.value.instance !== next.instance) exchanges.value = []
  served.value = next
}

let isWaiting = false

/** Many requests may come at once. */
function refreshSoon(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    loadLists().catch(() => {})
  }, 300)
}
