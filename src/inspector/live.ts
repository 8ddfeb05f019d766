/** Receives exchanges and other changes as they happen. Uses `fetch`, because `EventSource` sends no token. */
import { askForToken, authorization, type Exchange, encode, needsToken, type Served } from './api.js'
import { offerUndo } from './parts/toast.js'
import { reloadDocument } from './schema.js'
import {
  addExchanges,
  dataVersion,
  exchanges,
  failure,
  isLive,
  isLost,
  loadAll,
  loadLists,
  markRemoved,
  served,
} from './store.js'

/** Milliseconds before reconnecting, if the sandbox does not answer. */
const retryMs = 1000
/** The same if it ended the stream: it may do so again at once, as some proxies do. */
const soonMs = 50

/** Never ends. */
export async function receiveExchanges(): Promise<void> {
  // A program can change worlds by function calls, which send no events.
  addEventListener('focus', () => {
    dataVersion.value++
    refreshSoon()
  })
  for (let isAgain = false; ; isAgain = true) {
    const isEnded = await receive(isAgain).catch(() => false)
    // Another document ends the stream, and is served at once.
    isLive.value &&= isEnded
    isLost.value ||= !isEnded
    await new Promise((resolve) => setTimeout(resolve, isEnded ? soonMs : retryMs))
  }
}

/** @returns whether the sandbox ended the stream */
async function receive(isAgain: boolean): Promise<boolean> {
  if (needsToken.value) return false
  const after = exchanges.value.at(-1)?.id ?? 0
  const known = served.value ? `&instance=${encode(served.value.instance)}` : ''
  const response = await fetch(`/_sandbox/exchanges/stream?after=${after}${known}`, { headers: authorization() })
  if (!response.ok || !response.body) {
    if (response.status === 401) askForToken()
    return false
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    takeEvents(parts.map(readEvent))
    if (isLive.value && !isAgain) continue
    // Another document may be served now, and failed reads may succeed.
    if (isAgain || failure.value !== '') {
      await Promise.all([loadAll(), reloadDocument()])
      dataVersion.value++
      isAgain = false
    }
    isLive.value = true
    isLost.value = false
  }
}

interface StreamEvent {
  name: string | undefined
  data: string | undefined
}

/** Parses an event (HTML Living Standard, section 9.2.6), as far as the sandbox uses it. */
function readEvent(text: string): StreamEvent {
  const lines = text.split('\n')
  const fieldOf = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
  return { name: fieldOf('event'), data: fieldOf('data') }
}

function takeEvents(events: StreamEvent[]): void {
  const added: Exchange[] = []
  for (const { name, data } of events) {
    if (data === undefined) continue
    if (name === undefined) added.push(JSON.parse(data))
    else if (name === 'served') takeServed(JSON.parse(data))
    else if (name === 'change') {
      const { operation, key }: { operation: string; key?: string } = JSON.parse(data)
      if (operation === 'deleteWorld' && key !== undefined) markRemoved(key)
      dataVersion.value++
      refreshSoon()
    }
  }
  if (added.length === 0) return
  addExchanges(added)
  refreshSoon()
}

function takeServed(next: Served): void {
  // A reload of the document does not end the connection. Its exchanges come again.
  if (isLost.value && served.value && served.value.instance !== next.instance) {
    exchanges.value = []
    offerUndo({ text: 'The sandbox was started again: what was not stored is gone, and its data is as at the start' })
  }
  served.value = next
}

let isWaiting = false

/** Refreshes once for many requests that arrive together. */
function refreshSoon(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    loadLists().catch(() => {})
  }, 300)
}
