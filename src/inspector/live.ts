/** Receives exchanges as they come. By `fetch`, because `EventSource` sends no token. */
import { authorization, needsToken } from './api.js'
import type { Exchange } from './api-types.js'
import { reloadDocument } from './schema.js'
import { addExchanges, exchanges, failure, isLive, loadAll, loadFaults, loadOperations, loadWorlds } from './store.js'

/** Milliseconds before a lost connection is tried again. */
const retryMs = 1000

/** Never ends. */
export async function receiveExchanges(): Promise<void> {
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
  const response = await fetch(`/_sandbox/exchanges/stream?after=${after}`, { headers: authorization() })
  if (!response.ok || !response.body) {
    if (response.status === 401) needsToken.value = true
    return
  }
  // Another document may be served now.
  if (wasLost || failure.value !== '') await Promise.all([loadAll(), reloadDocument()])
  isLive.value = true
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    const come = parts.flatMap((part) => {
      const data = part.split('\n').find((line) => line.startsWith('data: '))
      return data === undefined ? [] : [JSON.parse(data.slice(6)) as Exchange]
    })
    if (come.length === 0) continue
    addExchanges(come)
    refreshSoon()
  }
}

let isWaiting = false

/** What requests change besides records: which statuses were met, worlds that are opened, faults that struck. */
function refreshSoon(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    for (const load of [loadOperations, loadWorlds, loadFaults]) load().catch(() => {})
  }, 300)
}
