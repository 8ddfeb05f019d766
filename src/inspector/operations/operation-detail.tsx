/** One operation: its effect with the reason, its statuses, and a form to try it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, type Fault, type Form, get, type Operation } from '../api.js'
import { withRecords } from '../forms/form.js'
import { Back, Button, countOf, Fact, Method, Path, Status, toDate, toPlace } from '../parts/bits.js'
import { correcting, Guesses, useGuesses } from '../parts/corrections.js'
import { describeFault, FailNext } from '../parts/fail-next.js'
import { type Jobs, ProblemText, useJobs } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { loadDocument, objectAt } from '../schema.js'
import { environment, faults, isOver, operations, served, world, worldTime } from '../store.js'
import { Correction } from './correction.js'
import { Contents, Description, Folded, placeOf, Responses } from './documented.js'
import { forgetDraft } from './drafts.js'
import { TryForm } from './try-form.js'

/** The form of an operation. It is made from the schemas, with examples for the current records. */
function useForm({ id }: Operation): { form: Form | undefined; jobs: Jobs; round: number; startOver(): Promise<void> } {
  const form = useSignal<Form | undefined>(undefined)
  const jobs = useJobs()
  const round = useSignal(0)
  async function loadForm(): Promise<void> {
    const load = (query: string) => get<{ form: Form }>(`/operations/${encode(id)}${query}`)
    const loading = load(`?key=${encode(world.value)}`).catch(() => load(''))
    await loadDocument().catch(() => {})
    const { form: made } = await loading
    form.value = await withExisting(made).catch(() => made)
  }
  useEffect(() => void jobs.run(loadForm), [id, world.value, served.value?.instance])
  return {
    ...{ form: form.value, jobs, round: round.value },
    async startOver() {
      await jobs.run(loadForm)
      forgetDraft(environment.value, id)
      round.value++
    },
  }
}

export function OperationDetail({ operation }: { operation: Operation }): JSX.Element {
  const { id, method, path, summary, effect, collection } = operation
  const at = placeOf(operation)
  const { form, jobs, round, startOver } = useForm(operation)
  const guesses = useGuesses(
    (all) => all.filter((fact) => fact.operation === id || (effect === 'create' && fact.collection === collection)),
    served.value?.instance,
  )
  return (
    <article class="detail operation">
      <header>
        <Back to="operations" />
        <h2>
          <Method method={method} /> <Path path={path} />
        </h2>
      </header>
      <p>
        {summary} <Markers operation={operation} />
      </p>
      <Description at={at} />
      <OperationFacts operation={operation} />
      <Armed operation={operation} />
      <Facts {...form} />
      <Guesses {...guesses} operation={id} />
      {isCorrecting(id) && <Correction key={correcting.value?.fact} operation={id} fact={correcting.value?.fact} />}
      <div class="actions">
        <FailNext requests={{ operation: id, key: world.value }} operation={id} jobs={jobs} />
      </div>
      <ProblemText jobs={jobs} />
      {form?.canTry && (
        <TryForm key={`${environment.value} ${round}`} operation={operation} form={form} onReset={startOver} />
      )}
      {form?.canTry === false && <p class="notice">The document turns the form for this operation off.</p>}
      <section class="documented" aria-label="Documented">
        {objectAt(`${at}/requestBody`)['content'] !== undefined && (
          <Folded summary="Schema of the request">{() => <Contents at={`${at}/requestBody`} />}</Folded>
        )}
        <h3>Responses</h3>
        <Responses at={at} isMet={(status) => isMet(status, operation)} />
        <Others operation={operation} />
      </section>
    </article>
  )
}

const isCorrecting = (id: string): boolean => correcting.value?.operation === id

/** What an operation does and why, until when, and what it sends. */
function OperationFacts({ operation }: { operation: Operation }): JSX.Element {
  const { id, effect, collection, reason, sends = [], does = [] } = operation
  const [doubt, place] = [doubtOf(operation), toPlace(operation)]
  return (
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
        {doubt !== '' && ` (${doubt})`}{' '}
        <Button
          label={isCorrecting(id) ? 'Hide the correction' : 'Correct it'}
          isExpanded={isCorrecting(id)}
          onClick={() => (correcting.value = isCorrecting(id) ? undefined : { operation: id })}
        />
      </Fact>
      {does.length > 0 && <Fact name="Changes">{does.join(', ')}</Fact>}
      <Lifecycle {...operation} />
      {place !== '' && (
        <Fact name="Document">
          <code>{place}</code>
        </Fact>
      )}
      {sends.length > 0 && (
        <Fact name="Sends">
          {sends.map(({ name, kind, to, delayMs }) => (
            <span key={name} class="property">
              <span class="tag out">{kind}</span> {name} <span class="dim">to {to}</span>
              {delayMs > 0 && <span class="dim"> after {delayMs} ms</span>}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  )
}

function Lifecycle({ sunset, deprecatedSince, successor }: Operation): JSX.Element | null {
  if ((sunset ?? deprecatedSince ?? successor) === undefined) return null
  return (
    <Fact name="Lifecycle">
      {deprecatedSince !== undefined && `Deprecated since ${toDate(deprecatedSince)}. `}
      {sunset !== undefined && (
        <>
          {isGone(sunset) ? 'Gone since' : 'Removed on'} <a href={toHash('clock')}>{toDate(sunset)}</a>.{' '}
        </>
      )}
      {successor && (
        <>
          Use <Successor {...successor} />.
        </>
      )}
    </Fact>
  )
}

/** Examples that can be sent as they are: their references are to records. */
async function withExisting(form: Form): Promise<Form> {
  const { example, body, references } = form
  const referenceOf = (name: string) => references.find((each) => each.name === name && each.in === undefined)
  const all = body?.contents.map(async (each) =>
    'example' in each ? { ...each, example: await withRecords(each.example, referenceOf) } : each,
  )
  return {
    ...form,
    ...(example.body !== undefined && { example: { ...example, body: await withRecords(example.body, referenceOf) } }),
    ...(body && { body: { ...body, contents: await Promise.all(all ?? []) } }),
  }
}

function Successor({ method, path }: { method: string; path: string }): JSX.Element {
  const found = operations.value?.find((each) => each.method === method && each.path === path)
  const text = `${method} ${path}`
  return found ? <a href={toHash('operations', found.id)}>{text}</a> : <span>{text}</span>
}

/** The statuses that occurred and are not documented. */
function Others({ operation }: { operation: Operation }): JSX.Element | null {
  const { documented, met } = operation
  const others = met.filter((status) => !documented.some((each) => isMet(each, { ...operation, met: [status] })))
  if (others.length === 0) return null
  return (
    <p>
      {others.map((status) => (
        <Status key={status} status={status} />
      ))}{' '}
      <span class="dim">occurred, but not documented</span>
    </p>
  )
}

/** The faults that the next request of an operation gets. */
function Armed({ operation: { id, method, path } }: { operation: Operation }): JSX.Element {
  const isMeant = (fault: Fault) =>
    !isOver(fault) &&
    (fault.key ?? world.value) === world.value &&
    (fault.operation ?? id) === id &&
    (fault.method ?? method) === method &&
    (fault.path ?? path) === path
  return (
    <>
      {faults.value.filter(isMeant).map((fault) => (
        <p key={fault.id} class="notice">
          The next request {fault.share === undefined ? 'gets' : 'may get'} {fault.status ?? describeFault(fault)} (
          <a href={toHash('faults')}>fault {fault.id}</a>)
        </p>
      ))}
    </>
  )
}

/** What is known about the records, each fact with its evidence. */
function Facts({ facts = [] }: Partial<Form>): JSX.Element | null {
  if (facts.length === 0) return null
  return (
    <details class="why-facts">
      <summary>What the sandbox knows about these records: {countOf(facts.length, 'fact')}</summary>
      <ul class="lines">
        {facts.map(({ fact, about, evidence, why }) => (
          <li key={`${fact} ${about}`}>
            <span class="tag">{fact}</span>
            <code>{about}</code>
            <span class="dim">
              by {evidence}: {why}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** How certain the inferred effect is, if there is a doubt. */
export function doubtOf({ sure = 'high' }: Operation): string {
  return { high: '', medium: 'likely', low: 'not sure' }[sure]
}

/** Special features of an operation, and the statuses that occurred. */
export function Markers({ operation }: { operation: Operation }): JSX.Element {
  const { deprecated, sunset, stability, effect, canTry } = operation
  return (
    <span class="markers">
      <span class="tag">{effect}</span>
      {doubtOf(operation) !== '' && (
        <span class="tag warn" title="How certain the inferred effect is">
          {doubtOf(operation)}
        </span>
      )}
      {deprecated && <span class="tag warn">deprecated</span>}
      {sunset !== undefined && (
        <span class="tag warn">
          {isGone(sunset) ? 'gone since' : 'until'} {toDate(sunset)}
        </span>
      )}
      {stability !== undefined && stability !== 'stable' && <span class="tag">{stability}</span>}
      {!canTry && <span class="tag">not to be tried</span>}
    </span>
  )
}

/** Whether the clock of the world in view is beyond a sunset. */
function isGone(sunset: string): boolean {
  return Date.parse(sunset) <= worldTime.value
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
