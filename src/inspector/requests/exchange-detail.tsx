/** One exchange: the reason for its answer, the request, the response, and actions. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Exchange, Pair } from '../api.js'
import { fillDraft } from '../operations/drafts.js'
import {
  Back,
  Button,
  CopyButton,
  countOf,
  Fact,
  Method,
  OutgoingTag,
  Said,
  Status,
  toDate,
  toTime,
} from '../parts/bits.js'
import { BytesBody, TextBody, toEnding } from '../parts/body-view.js'
import { Guesses, GuessMark, placeGuesses, useGuesses } from '../parts/corrections.js'
import { FailNext } from '../parts/fail-next.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { KeyPrompt } from '../parts/world-key.js'
import { goTo, route, toHash, withQuery } from '../router.js'
import {
  calledBy,
  exchanges,
  world as inView,
  lookAt,
  nextExchange,
  operations,
  statusOf,
  worldName,
} from '../store.js'
import { describeMissing, headerOf, needsKey, send, toCopy, toCurlLine, toFetch, toReplay } from './replay.js'
import { EffectsPanel, WhyPanel } from './why-panel.js'

/** The steps before the one that reads the body. */
const unreadSteps: ReadonlySet<string> = new Set(['route', 'authenticate', 'lifecycle'])

/** Sends an exchange again, and shows the new one. */
function useRepeat(exchange: Exchange) {
  const { id, world, request } = exchange
  const jobs = useJobs()
  const said = useSignal('')
  const isAsking = useSignal(false)
  /** The body, if the journal did not keep it. */
  const body = useRef<File | undefined>(undefined)
  async function sendAgain(file = body.current): Promise<void> {
    body.current = file
    if (needsKey(exchange) && world !== undefined) {
      isAsking.value = true
      return
    }
    const last = exchanges.value.at(-1)?.id ?? id
    await jobs.run(async () => {
      await send({ ...toReplay(exchange), ...(file && { body: file }) }).catch(() => {
        throw new Error('The connection was closed without an answer')
      })
      said.value = 'Sent again'
      // The stream delivers the new exchange.
      const isNewer = (each: Exchange) => each.id > last && each.request.path === request.path
      void nextExchange(isNewer, 3000).then((newer) => {
        // Does nothing if the user has navigated away.
        const { view, parts } = route.value
        if (newer && view === 'requests' && parts[0] === String(id)) goTo('requests', newer.id)
      })
    })
  }
  return {
    ...{ jobs, said: said.value, isAsking: isAsking.value, send: sendAgain },
    onKey() {
      isAsking.value = false
      void sendAgain()
    },
  }
}

export function ExchangeDetail({ exchange }: { exchange: Exchange }): JSX.Element {
  const { id, world, operation = '', request, response, sent, why } = exchange
  const repeat = useRepeat(exchange)
  const guesses = useGuesses(() => exchange.relied ?? [], exchange)
  const { marks, whole } = placeGuesses(guesses.facts, response.body)
  const missing = describeMissing(exchange)
  return (
    <article class="detail" aria-label={`Request ${id}`}>
      <header>
        <Back to="requests" />
        <h2>
          {sent && <OutgoingTag />}
          <Method method={request.method} />{' '}
          <span class="path">
            {calledBy(exchange) || sent?.name}
            {request.query !== '' && <span class="query">?{request.query}</span>}
          </span>
        </h2>
        <Status status={statusOf(exchange)} />
        <GuessMark facts={whole} />
      </header>
      <Actions {...{ exchange, repeat, missing }} />
      {repeat.isAsking && world !== undefined && <KeyPrompt world={world} onKey={repeat.onKey} />}
      <ProblemText jobs={repeat.jobs} />
      <WhyPanel exchange={exchange} />
      <EffectsPanel exchange={exchange} />
      <Origin exchange={exchange} />
      <Message title="Request" headers={request.headers}>
        {missing === undefined ? (
          <TextBody text={request.body} label="Request body" />
        ) : (
          <p class="dim">
            {missing}, not kept: {unreadSteps.has(why.step) ? 'refused before it was read' : 'no text'}. A copied
            command reads it from the file <code>body</code>.
          </p>
        )}
      </Message>
      <Message title="Response" headers={response.headers}>
        {response.encoding === undefined ? (
          <TextBody text={response.body} label="Response body" marks={marks} />
        ) : (
          <Bytes exchange={exchange} />
        )}
      </Message>
      <Guesses {...guesses} operation={operation} />
    </article>
  )
}

interface ActionsProps {
  exchange: Exchange
  repeat: ReturnType<typeof useRepeat>
  /** The body that the journal did not keep. */
  missing: string | undefined
}

function Actions({ exchange, repeat, missing }: ActionsProps): JSX.Element {
  const { world, operation, request, sent } = exchange
  const { jobs, said } = repeat
  const known = operations.value?.find((each) => each.id === operation)
  const alike = operation === undefined ? { method: request.method, path: request.path } : { operation }
  return (
    <div class="actions">
      {!sent && missing === undefined && (
        <Button label="Send again" kind="primary" disabled={jobs.isBusy.value} onClick={() => repeat.send()} />
      )}
      {!sent && known && (
        <a class="button" href={toHash('operations', known.id)} onClick={() => fillDraft(exchange, known)}>
          Edit and send
        </a>
      )}
      {!sent && missing !== undefined && !missing.includes('multipart/') && (
        <label class="file">
          Send again with a file
          <input
            type="file"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) void repeat.send(file)
            }}
          />
        </label>
      )}
      {sent?.url !== '' && (
        <>
          <CopyButton text={() => toCurlLine(toCopy(exchange))} label="Copy as curl" />
          <CopyButton text={() => toFetch(toCopy(exchange))} label="Copy as fetch" />
        </>
      )}
      {world !== undefined && !sent && (
        <FailNext requests={{ ...alike, key: world }} operation={operation} jobs={jobs} />
      )}
      <Said text={said} />
    </div>
  )
}

/** When and in which world it was. */
function Origin({ exchange: { id, at, world, environment } }: { exchange: Exchange }): JSX.Element {
  return (
    <p class="dim meta">
      #{id} at {toTime(at)} on {toDate(at)}
      {world !== undefined && ', in the world '}
      {world === undefined ? null : world === inView.value ? (
        <a href={toHash('worlds')}>{worldName(world)}</a>
      ) : (
        <a href={withQuery(toHash('requests', id))} title="Look at this world" onClick={() => lookAt(world)}>
          {worldName(world)}
        </a>
      )}
      {environment !== undefined && `, ${environment}`}
    </p>
  )
}

function Message(props: { title: string; headers: Pair[]; children: ComponentChildren }): JSX.Element {
  const { title, headers, children } = props
  return (
    <section class="message">
      <h3>{title}</h3>
      <details>
        <summary>{countOf(headers.length, 'header')}</summary>
        <dl class="facts headers">
          {headers.map(({ name, value }) => (
            <Fact name={name}>{value}</Fact>
          ))}
        </dl>
      </details>
      {children}
    </section>
  )
}

function Bytes({ exchange: { id, response } }: { exchange: Exchange }): JSX.Element {
  const { body = '', headers } = response
  const bytes = useMemo(() => Uint8Array.from(atob(body), (each) => each.charCodeAt(0)), [body])
  const [type = ''] = (headerOf(headers, 'content-type') ?? '').split(';')
  return <BytesBody {...{ bytes, type }} name={`${id}.${toEnding(type)}`} label="Response body" />
}
