/** Faults: rules that make requests fail, wait or break off. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, encode } from './api.js'
import type { Fault } from './api-types.js'
import { Button, Empty, Said } from './parts/bits.js'
import { Choice } from './parts/inputs.js'
import { ProblemText, useJobs } from './parts/jobs.js'
import { toHash } from './router.js'
import { faults, isOver, loadFaults, operations, world } from './store.js'

const kinds = [
  ['status', 'answers with a status'],
  ['delay', 'is answered later'],
  ['drop', 'loses its connection'],
  ['truncate', 'is cut off'],
  ['rate', 'is limited in number'],
] as const
type Kind = (typeof kinds)[number][0]

interface Draft {
  operation: string
  isOfWorld: boolean
  kind: Kind
  times: string
  status: string
  message: string
  delayMs: string
  bytes: string
  limit: string
  seconds: string
}

const standard: Draft = {
  operation: '',
  isOfWorld: true,
  kind: 'status',
  times: '1',
  status: '503',
  message: '',
  delayMs: '2000',
  bytes: '20',
  limit: '5',
  seconds: '60',
}

export function FaultsView(): JSX.Element {
  const jobs = useJobs()
  const remove = (path: string) => jobs.run(() => call('DELETE', path).then(loadFaults))
  return (
    <div class="page">
      <section aria-labelledby="new-fault">
        <h2 id="new-fault">Let a request fail</h2>
        <p class="dim">The next matching requests fail in this way. Their exchanges name the fault.</p>
        <NewFault />
      </section>
      <section aria-labelledby="faults-title">
        <div class="section-head">
          <h2 id="faults-title">Faults</h2>
          {faults.value.length > 1 && <Button label="Remove all" kind="quiet" onClick={() => remove('/faults')} />}
        </div>
        <ProblemText jobs={jobs} />
        {faults.value.length === 0 ? (
          <Empty title="Every request is answered as usual">
            <p>Add a fault above, or choose “Fail the next one” beside a request.</p>
          </Empty>
        ) : (
          <ul class="lines">
            {faults.value.map((fault) => (
              <li key={fault.id} class={isOver(fault) ? 'gone' : ''}>
                <strong>{describeFault(fault)}</strong>
                <span class="dim">
                  {describeTarget(fault)}; struck {fault.struck}
                  {fault.times === undefined ? ' times' : ` of ${fault.times}`}
                  {isOver(fault) && ', over'}
                </span>
                <span class="actions">
                  <Button label="Remove" kind="danger" onClick={() => remove(`/faults/${encode(fault.id)}`)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function NewFault(): JSX.Element {
  const draft = useSignal(standard)
  const jobs = useJobs()
  const said = useSignal('')
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change }
    said.value = ''
  }
  const { operation, isOfWorld, kind, times } = draft.value
  const { value: all = [] } = operations
  const text = (name: keyof Draft, label: string, isNumber = true) => (
    <label class={isNumber ? 'short' : ''}>
      {label}
      <input
        inputMode={isNumber ? 'numeric' : 'text'}
        pattern={isNumber ? '[0-9]*' : undefined}
        required={isNumber && name !== 'times'}
        autocomplete="off"
        value={String(draft.value[name])}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
      />
    </label>
  )
  async function add(event: Event): Promise<void> {
    event.preventDefault()
    await jobs.run(() => call('POST', '/faults', toRule(draft.value)).then(loadFaults))
    if (!jobs.problem.value) said.value = times === '1' ? 'The next one fails' : 'Added'
  }
  return (
    <form class="inline-form" onSubmit={add}>
      <Choice
        label="Operation"
        value={operation}
        options={[['', 'any'], ...all.map(({ id, method, path }) => [id, `${method} ${path}`] as const)]}
        onChoice={(id) => set({ operation: id })}
      />
      <Choice
        label="World"
        value={isOfWorld ? 'this' : 'any'}
        options={[['this', world.value], ['any']]}
        onChoice={(which) => set({ isOfWorld: which === 'this' })}
      />
      <Choice label="A request" value={kind} options={kinds} onChoice={(chosen) => set({ kind: chosen as Kind })} />
      {kind === 'status' && text('status', 'Status')}
      {kind === 'status' && text('message', 'Message', false)}
      {kind === 'delay' && text('delayMs', 'Milliseconds')}
      {kind === 'truncate' && text('bytes', 'After bytes')}
      {kind === 'rate' && text('limit', 'Requests')}
      {kind === 'rate' && text('seconds', 'In seconds')}
      {kind !== 'rate' && text('times', 'Times (empty: always)')}
      <button type="submit" class="primary" disabled={jobs.isBusy.value}>
        {times === '1' && kind !== 'rate' ? 'Fail the next request' : 'Add the fault'}
      </button>
      <Said text={said.value} />
      <ProblemText jobs={jobs} />
    </form>
  )
}

function toRule({ operation, isOfWorld, kind, times, status, message, delayMs, bytes, limit, seconds }: Draft): object {
  return {
    ...(operation !== '' && { operation }),
    ...(isOfWorld && { key: world.value }),
    ...(kind !== 'rate' && times !== '' && { times: Number(times) }),
    ...(kind === 'status' && { status: Number(status), ...(message !== '' && { message }) }),
    ...(kind === 'delay' && { delayMs: Number(delayMs) }),
    ...(kind === 'drop' && { drop: true }),
    ...(kind === 'truncate' && { truncate: Number(bytes) }),
    ...(kind === 'rate' && { rate: { limit: Number(limit), seconds: Number(seconds) } }),
  }
}

function describeFault({ status, delayMs, drop, truncate, rate, message }: Fault): string {
  const what = [
    status !== undefined && `status ${status}`,
    message !== undefined && `“${message}”`,
    delayMs !== undefined && `${Array.isArray(delayMs) ? delayMs.join('–') : delayMs} ms later`,
    drop && 'no answer',
    truncate !== undefined && `cut off after ${truncate} bytes`,
    rate && `at most ${rate.limit} in ${rate.seconds ?? 60} s`,
  ]
  return what.filter((each) => typeof each === 'string').join(', ') || 'nothing'
}

function describeTarget({ operation, method, path, key: of, share }: Fault): JSX.Element {
  return (
    <>
      {operation === undefined ? (
        [method, path].filter(Boolean).join(' ') || 'any request'
      ) : (
        <a href={toHash('operations', operation)}>{operation}</a>
      )}
      {of === undefined ? ' in any world' : ` in ${of}`}
      {share !== undefined && `, ${share * 100} %`}
    </>
  )
}
