/** One exchange: why it was answered so, the request, the response, and what to do with them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Exchange, Pair } from '../api-types.js'
import { Method, Status, toTime } from '../parts/bits.js'
import { CopyButton } from '../parts/copy-button.js'
import { FailNext } from '../parts/fail-next.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { JsonView } from '../parts/json-view.js'
import { KeyPrompt } from '../parts/key-prompt.js'
import { goTo, toHash } from '../router.js'
import { calledBy, exchanges } from '../store.js'
import { needsKey, send, toCurl, toFetch, toReplay } from './replay.js'
import { WhyPanel } from './why-panel.js'

export function ExchangeDetail({ exchange }: { exchange: Exchange }): JSX.Element {
  const { id, at, world, environment, operation, request, response, sent } = exchange
  const jobs = useJobs()
  const said = useSignal('')
  const isAsking = useSignal(false)

  async function sendAgain(): Promise<void> {
    if (needsKey(exchange) && world !== undefined) {
      isAsking.value = true
      return
    }
    const last = exchanges.value.at(-1)?.id ?? id
    await jobs.run(async () => {
      await send(toReplay(exchange)).catch(() => {
        throw new Error('The connection was closed without an answer')
      })
      said.value = 'Sent again'
      // The new exchange comes by the stream.
      const stop = exchanges.subscribe((all) => {
        const newer = all.find((each) => each.id > last && each.request.path === request.path)
        if (newer) queueMicrotask(() => stop())
        if (newer) goTo('requests', newer.id)
      })
      setTimeout(stop, 3000)
    })
  }

  const alike = operation === undefined ? { method: request.method, path: request.path } : { operation }
  return (
    <article class="detail" aria-label={`Request ${id}`}>
      <header>
        <a class="back" href={toHash('requests')} aria-label="Back to the list">
          ←
        </a>
        <h2>
          <Method method={request.method} />{' '}
          <span class="path">
            {calledBy(exchange)}
            {request.query !== '' && <span class="query">?{request.query}</span>}
          </span>
        </h2>
        <Status status={response.status} />
      </header>
      <div class="actions">
        {!sent && (
          <button type="button" class="primary" onClick={sendAgain} disabled={jobs.isBusy.value}>
            Send again
          </button>
        )}
        <CopyButton text={() => toCurl(toReplay(exchange))} label="Copy as curl" />
        <CopyButton text={() => toFetch(toReplay(exchange))} label="Copy as fetch" />
        {world !== undefined && !sent && <FailNext requests={{ ...alike, key: world }} jobs={jobs} />}
        <span class="said" role="status">
          {said.value}
        </span>
      </div>
      {isAsking.value && world !== undefined && (
        <KeyPrompt
          world={world}
          onKey={() => {
            isAsking.value = false
            void sendAgain()
          }}
        />
      )}
      <ProblemText jobs={jobs} />
      <WhyPanel exchange={exchange} />
      <p class="dim meta">
        #{id} at {toTime(at)} on {at.slice(0, 10)}
        {world !== undefined && (
          <>
            , in the world <a href={toHash('worlds', world)}>{world}</a>
          </>
        )}
        {environment !== undefined && `, ${environment}`}
      </p>
      <Message title="Request" headers={request.headers} body={request.body} />
      <Message title="Response" headers={response.headers} body={response.body} />
    </article>
  )
}

function Message({ title, headers, body }: { title: string; headers: Pair[]; body: string | undefined }): JSX.Element {
  return (
    <section class="message">
      <h3>{title}</h3>
      <details>
        <summary>
          {headers.length} {headers.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl class="facts headers">
          {headers.map(({ name, value }) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      </details>
      {body === undefined || body === '' ? (
        <p class="dim">No body</p>
      ) : (
        <JsonView text={body} label={`${title} body`} />
      )}
    </section>
  )
}
