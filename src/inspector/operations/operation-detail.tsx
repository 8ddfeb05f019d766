/** One operation: what it does and why, its statuses, and a form to try it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, get } from '../api.js'
import type { Form, Operation } from '../api-types.js'
import { Method, Status, toDate, toPlace } from '../parts/bits.js'
import { FailNext } from '../parts/fail-next.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { loadDocument } from '../schema.js'
import { environment, operations, world } from '../store.js'
import { forgetDraft } from './drafts.js'
import { TryForm } from './try-form.js'

export function OperationDetail({ operation }: { operation: Operation }): JSX.Element {
  const { id, method, path, summary, effect, collection, reason, successor, sunset, deprecatedSince } = operation
  const form = useSignal<Form | undefined>(undefined)
  const jobs = useJobs()
  const round = useSignal(0)
  async function loadForm(): Promise<void> {
    const load = (query: string) => get<{ form: Form }>(`/operations/${encode(id)}${query}`)
    const loading = load(`?key=${encode(world.value)}`).catch(() => load(''))
    // The form is made from the schemas.
    await loadDocument().catch(() => {})
    form.value = (await loading).form
  }
  useEffect(() => void jobs.run(loadForm), [id, world.value])

  /** With an example for the records that are there now. */
  async function beginAnew(): Promise<void> {
    await jobs.run(loadForm)
    forgetDraft(environment.value, id)
    round.value++
  }

  return (
    <article class="detail operation">
      <header>
        <a class="back" href={toHash('operations')} aria-label="Back to the list">
          ←
        </a>
        <h2>
          <Method method={method} /> <span class="path">{path}</span>
        </h2>
      </header>
      <p>
        {summary} <Markers operation={operation} />
      </p>
      <dl class="facts">
        <dt>Effect</dt>
        <dd>
          {effect}
          {collection !== undefined && (
            <>
              {' '}
              of <a href={toHash('data', collection)}>{collection}</a>
            </>
          )}
          {reason !== undefined && <span class="dim">, because {reason}</span>}
        </dd>
        {(sunset ?? deprecatedSince ?? successor) !== undefined && (
          <>
            <dt>Lifecycle</dt>
            <dd>
              {deprecatedSince !== undefined && `Deprecated since ${toDate(deprecatedSince)}. `}
              {sunset !== undefined && (
                <>
                  Removed on <a href={toHash('clock')}>{toDate(sunset)}</a>.{' '}
                </>
              )}
              {successor && (
                <>
                  Use <Successor method={successor.method} path={successor.path} />.
                </>
              )}
            </dd>
          </>
        )}
        {toPlace(operation) !== '' && (
          <>
            <dt>Document</dt>
            <dd>
              <code>{toPlace(operation)}</code>
            </dd>
          </>
        )}
        <dt>Statuses</dt>
        <dd>
          <Statuses operation={operation} form={form.value} />
        </dd>
      </dl>
      <div class="actions">
        <FailNext requests={{ operation: id, key: world.value }} jobs={jobs} />
      </div>
      <ProblemText jobs={jobs} />
      {form.value &&
        (form.value.canTry ? (
          <TryForm
            key={`${environment.value} ${round.value}`}
            operation={operation}
            form={form.value}
            onReset={beginAnew}
          />
        ) : (
          <p class="notice">The document turns the form for this operation off.</p>
        ))}
    </article>
  )
}

function Successor({ method, path }: { method: string; path: string }): JSX.Element {
  const found = operations.value?.find((each) => each.method === method && each.path === path)
  const text = `${method} ${path}`
  return found ? <a href={toHash('operations', found.id)}>{text}</a> : <span>{text}</span>
}

function Statuses({ operation, form }: { operation: Operation; form: Form | undefined }): JSX.Element {
  const others = operation.met.filter(
    (status) => !operation.documented.some((each) => isMet(each, { ...operation, met: [status] })),
  )
  return (
    <ul class="status-grid">
      {operation.documented.map((status) => (
        <li key={status} class={isMet(status, operation) ? 'met' : ''}>
          <Status status={status} />
          <span>{form?.responses.find((each) => each.status === status)?.description ?? ''}</span>
          <span class="dim">{isMet(status, operation) ? 'met' : 'not yet'}</span>
        </li>
      ))}
      {others.map((status) => (
        <li key={status} class="met">
          <Status status={status} />
          <span>not documented</span>
          <span class="dim">met</span>
        </li>
      ))}
    </ul>
  )
}

/** What is special about an operation, and which of its statuses were met. */
export function Markers({ operation }: { operation: Operation }): JSX.Element {
  const { deprecated, sunset, stability, effect, canTry } = operation
  return (
    <span class="markers">
      <span class="tag">{effect}</span>
      {deprecated && <span class="tag warn">deprecated</span>}
      {sunset !== undefined && <span class="tag warn">until {toDate(sunset)}</span>}
      {stability !== undefined && stability !== 'stable' && <span class="tag">{stability}</span>}
      {!canTry && <span class="tag">not to be tried</span>}
    </span>
  )
}

/** Whether a status was met. A range such as `4XX` and `default` stand for what no other one does. */
export function isMet(documented: string, { documented: all, met }: Operation): boolean {
  return met.some((status) => {
    const text = String(status)
    if (documented === text) return true
    if (all.includes(text)) return false
    const range = `${text.charAt(0)}XX`
    return (
      documented.toUpperCase() === range ||
      (documented === 'default' && !all.some((each) => each.toUpperCase() === range))
    )
  })
}
