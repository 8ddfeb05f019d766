/** Faults: rules that make requests fail, wait or break off. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { call, encode, type Fault, type Operation, type Values } from './api.js'
import type { FormField } from './forms/form.js'
import { InlineFields, ShortForm } from './forms/inline-fields.js'
import { anyMethods, Button, countOf, Empty, Said, Section, Toggle } from './parts/bits.js'
import { describeFault, failuresOf, useFault } from './parts/fail-next.js'
import { type Jobs, ProblemText, useJobs } from './parts/jobs.js'
import { offerUndo } from './parts/toast.js'
import { toHash } from './router.js'
import {
  exchanges,
  faults,
  faultsOf,
  isOver,
  isReady,
  loadFaults,
  operations,
  world,
  worldIds,
  worldName,
} from './store.js'

type Rule = Omit<Fault, 'id' | 'struck'>

interface Preset {
  name: string
  text: string
  rule: Rule
  /** The rule for one request, if it differs. */
  once?: Rule
}

const presets: readonly Preset[] = [
  { name: 'Down', text: 'answers 503', rule: { status: 503 } },
  { name: 'Slow', text: 'takes 5 seconds', rule: { delayMs: 5000 } },
  { name: 'Flaky', text: 'fails with 503 at random, one of three', rule: { status: 503, share: 0.33 } },
  {
    name: 'Rate limit',
    text: 'answers 429 after 3 requests in a minute',
    rule: { rate: { limit: 3, seconds: 60 } },
    once: { status: 429 },
  },
  { name: 'Expired key', text: 'answers 401', rule: { status: 401, message: 'The key has expired' } },
  { name: 'No answer', text: 'closes the connection', rule: { drop: true } },
]

const number = (name: string, label: string): FormField => ({
  ...{ name, label, isRequired: true },
  schema: { type: 'integer' },
})

/** The ways to fail, each with the fields of its rule. */
const kinds: Readonly<Record<string, readonly [label: string, ...FormField[]]>> = {
  status: [
    'answers with a status',
    number('status', 'Status'),
    { name: 'message', label: 'Message', schema: { type: 'string' } },
  ],
  delay: ['is answered later', number('delayMs', 'Milliseconds')],
  drop: ['loses its connection'],
  truncate: ['is cut off', number('truncate', 'After bytes')],
  rate: ['is limited in number', number('rate.limit', 'Requests'), number('rate.seconds', 'In seconds')],
}

/** Which requests fail, and how many. */
interface Target {
  /** What was typed: a method, or a method with a path. Empty: all. */
  requests: string
  /** The id of the world. Empty: the one in view. `any`: all of them. */
  of: string
  isOnce: boolean
}

export function FaultsView(): JSX.Element {
  const jobs = useJobs()
  const target = useSignal<Target>({ requests: '', of: '', isOnce: true })
  if (!isReady.value) return <Empty title="Reading the faults…" />
  async function remove(removed: readonly Fault[], path: string): Promise<void> {
    const done = await jobs.run(() => call('DELETE', path).then(loadFaults))
    const left = removed.filter((each) => !isOver(each))
    const undo = () => Promise.all(left.map((each) => call('POST', '/faults', toRest(each))))
    const text = removed.length === 1 ? 'Removed the fault' : `Removed ${removed.length} faults`
    if (done) offerUndo({ text, ...(left.length > 0 && { undo }) })
  }
  return (
    <div class="page">
      <Section
        title="Make requests fail"
        id="new-fault"
        about="Choose which requests, then click how they fail. Others are answered as usual."
      >
        <TargetForm target={target} />
        <Presets target={target.value} />
        <details>
          <summary>Another way to fail</summary>
          <CustomFault target={target.value} />
        </details>
      </Section>
      <section aria-labelledby="faults-title">
        <div class="section-head">
          <h2 id="faults-title">Faults</h2>
          {faults.value.length > 1 && (
            <Button label="Remove all" kind="quiet" onClick={() => remove(faults.value, '/faults')} />
          )}
        </div>
        <ProblemText jobs={jobs} />
        {faults.value.length === 0 ? (
          <Empty
            title="Every request is answered as usual"
            text="Choose how the next one fails above, or “Fail the next one” beside a request."
          />
        ) : (
          <ul class="lines">
            {faults.value.map((fault) => (
              <FaultLine key={fault.id} fault={fault} onRemove={() => remove([fault], `/faults/${encode(fault.id)}`)} />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function FaultLine({ fault, onRemove }: { fault: Fault; onRemove: () => Promise<void> }): JSX.Element {
  const { id, struck } = fault
  const hit = exchanges.value.filter((each) => faultsOf(each).includes(id))
  return (
    <li class={isOver(fault) ? 'gone' : ''}>
      <strong>
        Fault {id}: {describeFault(fault)}
      </strong>
      <span class="dim">
        {describeTarget(fault)}
        {isOver(fault) && ', over'}
      </span>
      {hit.length > 0 ? (
        <a href={hit.length === 1 ? toHash('requests', hit[0]?.id ?? 0) : `${toHash('requests')}?fault=${encode(id)}`}>
          hit {countOf(struck, 'request')}
        </a>
      ) : (
        <span class="dim">{struck === 0 ? 'hit no request yet' : `hit ${countOf(struck, 'request')}`}</span>
      )}
      <span class="actions">
        <Button label="Remove" kind="danger" onClick={onRemove} />
      </span>
    </li>
  )
}

function TargetForm({ target }: { target: Signal<Target> }): JSX.Element {
  const { requests, of, isOnce } = target.value
  const set = (change: Partial<Target>) => (target.value = { ...target.value, ...change })
  const { one, several = [] } = findRequests(requests)
  const named = [
    ...anyMethods.map((method) => [method, `any ${method}`]),
    ...(operations.value ?? []).map((each) => [nameOf(each), each.id]),
  ]
  const others = worldIds.value.filter((id) => id !== world.value).map((id) => [id, worldName(id)])
  const $placeholder = 'all; or type a method and a part of a path'
  return (
    <div class="inline-form">
      <InlineFields
        fields={[
          { name: 'requests', label: 'Requests', schema: { type: 'string', $suggestions: named, $placeholder } },
          {
            name: 'of',
            label: 'World',
            schema: { type: 'string', $options: [['', worldName(world.value)], ...others, ['any']] },
          },
        ]}
        values={{ requests, of }}
        onChange={(next) => set({ requests: String(next['requests'] ?? ''), of: String(next['of'] ?? '') })}
      />
      <fieldset class="segments">
        <legend class="spoken">How often</legend>
        <Toggle label="Only the next one" isOn={isOnce} onClick={() => set({ isOnce: true })} />
        <Toggle label="Until removed" isOn={!isOnce} onClick={() => set({ isOnce: false })} />
      </fieldset>
      {!one && several.length > 0 && (
        <fieldset class="actions several">
          <legend>Which one?</legend>
          {several.slice(0, maxSeveral).map((each) => (
            <Button key={each.id} label={nameOf(each)} onClick={() => set({ requests: nameOf(each) })} />
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** Adds a fault for the requests of a target. Changing them removes the message and the error about the last one. */
function useTarget(target: Target): ReturnType<typeof useFault> & { jobs: Jobs } {
  const jobs = useJobs()
  const fault = useFault()
  function forget(): void {
    fault.forget()
    jobs.problem.value = undefined
  }
  // Before a click can follow: later, it would remove the message of that click.
  useLayoutEffect(forget, [target])
  return { ...fault, jobs, forget }
}

function Presets({ target }: { target: Target }): JSX.Element {
  const { jobs, said, add } = useTarget(target)
  const choose = ({ name, rule, once = rule }: Preset) =>
    jobs.run(async () => {
      const text = target.isOnce ? `The next one: ${name}` : `${name}, until you remove it below`
      await add({ ...toMatch(target), ...(target.isOnce ? once : rule) }, text)
    })
  const { one } = findRequests(target.requests)
  const documented = failuresOf(one?.operation).map((status): Preset => {
    return { name: String(status), text: 'as documented', rule: { status } }
  })
  return (
    <>
      {/* The message is beside it, so that nothing moves. */}
      <p>
        Will hit {one ? describeTarget({ ...one, ...restOf(target) }) : 'nothing yet'} <Said text={said} />
      </p>
      <div class="presets">
        {[...documented, ...presets].map((preset) => (
          <button key={preset.name} type="button" disabled={jobs.isBusy.value} onClick={() => choose(preset)}>
            <strong>{preset.name}</strong>
            <span class="dim">{target.isOnce && preset.once ? 'answers 429' : preset.text}</span>
          </button>
        ))}
      </div>
      <ProblemText jobs={jobs} />
    </>
  )
}

const usual: Values = {
  ...{ kind: 'status', status: 503, delayMs: 2000, truncate: 20 },
  ...{ 'rate.limit': 5, 'rate.seconds': 60 },
}

function CustomFault({ target }: { target: Target }): JSX.Element {
  const { jobs, said, add, forget } = useTarget(target)
  const labels = Object.entries(kinds).map(([kind, [label]]) => [kind, label])
  const choice = { name: 'kind', label: 'A request', schema: { type: 'string', $options: labels } }
  const fieldsOf = ({ kind }: Values) => kinds[String(kind)]?.slice(1) as FormField[]
  return (
    <ShortForm
      fields={(values) => [choice, ...fieldsOf(values)]}
      usual={usual}
      submit="Add the fault"
      kind="primary"
      jobs={jobs}
      onChange={forget}
      onSubmit={async (values) => {
        const isOnce = target.isOnce && values['kind'] !== 'rate'
        const rule = { ...toMatch({ ...target, isOnce }), ...toRule(values, fieldsOf(values)) }
        await add(rule, isOnce ? 'The next one fails' : 'Added')
      }}
    >
      <Said text={said} />
    </ShortForm>
  )
}

/** A rule from the values of the fields of its kind. */
function toRule({ kind, ...values }: Values, fields: readonly FormField[]): Rule {
  if (kind === 'drop') return { drop: true }
  if (kind === 'rate') return { rate: { limit: values['rate.limit'], seconds: values['rate.seconds'] } as Rule['rate'] }
  return Object.fromEntries(fields.map(({ name }) => [name, values[name]]))
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
/** The number of operations among which the form lets choose. */
const maxSeveral = 8

/** What a text names: a method, or an operation by its id, by a part of its path, or by a method and such a part. */
function findRequests(text: string): { one?: Rule; several?: Operation[] } {
  const wanted = text.trim()
  const [word = '', ...rest] = wanted.split(/\s+/)
  const method = anyMethods.find((each) => each === word.toUpperCase())
  if (wanted === '') return { one: {} }
  if (method !== undefined && rest.length === 0) return { one: { method } }
  const part = (method === undefined ? wanted : rest.join(' ')).toLowerCase()
  const ofMethod = (operations.value ?? []).filter((each) => (method ?? each.method) === each.method)
  const like = ofMethod.filter(({ path }) => path.toLowerCase().includes(part))
  const found =
    ofMethod.find(({ id, path }) => wanted === id || (method !== undefined && path.toLowerCase() === part)) ??
    (like.length === 1 ? like[0] : undefined)
  return found ? { one: { operation: found.id } } : { several: like }
}

/** @throws Error for a text that does not name exactly one operation, or a method */
function toMatch(target: Target): Rule {
  const { requests } = target
  const { one, several = [] } = findRequests(requests)
  if (!one) {
    const names = several.slice(0, maxSeveral).map(nameOf).join(', ')
    const which = names === '' ? 'no operation of the document' : `a part of several: ${names}`
    throw new Error(`"${requests.trim()}" is ${which}. Choose one from the list, or a method such as POST`)
  }
  return { ...one, ...restOf(target) }
}

/** The world and the number of the requests. */
function restOf({ of, isOnce }: Target): Rule {
  return { ...(of !== 'any' && { key: of || world.value }), ...(isOnce && { times: 1 }) }
}

/** The rule of a fault that was removed, for the requests that it had still to hit. */
function toRest({ id: _, struck, ...rule }: Fault): Rule {
  return rule.times === undefined ? rule : { ...rule, times: rule.times - struck }
}

function describeTarget({ operation, method, path, key: of, share, times }: Rule): JSX.Element {
  const found = operations.value?.find(({ id }) => id === operation)
  return (
    <>
      {operation === undefined ? (
        [method, path].filter(Boolean).join(' ') || 'any request'
      ) : (
        <a href={toHash('operations', operation)}>{found ? nameOf(found) : operation}</a>
      )}
      {of === undefined ? ' in any world' : ` in ${worldName(of)}`}
      {share !== undefined && `, ${share * 100} % of them`}
      {times === undefined ? ', until removed' : times === 1 ? ', once' : `, ${times} times`}
    </>
  )
}
