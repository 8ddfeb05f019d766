/** One operation: its effect with the reason, its statuses, and a form to try it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, get } from '../api.js'
import type { Form, Operation } from '../api-types.js'
import { Back, Fact, Method, Status, toDate, toPlace } from '../parts/bits.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { FailNext } from '../parts/request-actions.js'
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

  /** Reloads the form with an example for the current records. */
  async function startOver(): Promise<void> {
    await jobs.run(loadForm)
    forgetDraft(environment.value, id)
    round.value++
  }

  return (
    <article class="detail operation">
      <header>
        <Back to="operations" />
        <h2>
          <Method method={method} /> <span class="path">{path}</span>
        </h2>
      </header>
      <p>
        {summary} <Markers operation={operation} />
      </p>
      <dl class="facts">
        <Fact name="Effect">
          {effect}
          {collection !== undefined && (
            <>
              {' '}
              of <a href={toHash('data', collection)}>{collection}</a>
            </>
          )}
          {reason !== undefined && <span class="dim">, because {reason}</span>}
        </Fact>
        {(sunset ?? deprecatedSince ?? successor) !== undefined && (
          <Fact name="Lifecycle">
            {deprecatedSince !== undefined && `Deprecated since ${toDate(deprecatedSince)}. `}
            {sunset !== undefined && (
              <>
                Removed on <a href={toHash('clock')}>{toDate(sunset)}</a>.{' '}
              </>
            )}
            {successor && (
              <>
                Use <Successor {...successor} />.
              </>
            )}
          </Fact>
        )}
        {toPlace(operation) !== '' && (
          <Fact name="Document">
            <code>{toPlace(operation)}</code>
          </Fact>
        )}
        <Fact name="Statuses">
          <Statuses operation={operation} form={form.value} />
        </Fact>
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
            onReset={startOver}
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
  const { documented, met } = operation
  const others = met.filter((status) => !documented.some((each) => isMet(each, { ...operation, met: [status] })))
  const describe = (status: string) => form?.responses.find((each) => each.status === status)?.description ?? ''
  const all = [
    ...documented.map((status) => [status, isMet(status, operation), describe(status)] as const),
    ...others.map((status) => [status, true, 'not documented'] as const),
  ]
  return (
    <ul class="status-grid">
      {all.map(([status, isMetHere, description]) => (
        <li key={status} class={isMetHere ? 'met' : ''}>
          <Status status={status} />
          <span>{description}</span>
          <span class="dim">{isMetHere ? 'met' : 'not yet'}</span>
        </li>
      ))}
    </ul>
  )
}

/** Special features of an operation, and the statuses that occurred. */
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

/** Whether a status occurred. A range such as `4XX`, and `default`, count statuses that are not documented themselves. */
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
