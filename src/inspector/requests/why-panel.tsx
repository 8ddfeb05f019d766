/** The reason for an answer: the step, the keyword and its place in the document; and what the request caused. */
import type { JSX } from 'preact'
import { singletonKey } from '../../json/path-property.js'
import { type Exchange, encode, get, type Step, type WorldEvent } from '../api.js'
import { Named, Short } from '../data/cell.js'
import type { Target } from '../data/place.js'
import { countOf, Fact, Method, Status, toDate, toPlace, toTime } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { decode, toHash } from '../router.js'
import { calledBy, collections, exchanges, operations, statusOf, world } from '../store.js'

const steps: [Step, string][] = [
  ['route', 'Route'],
  ['authenticate', 'Authenticate'],
  ['validate', 'Validate'],
  ['apply', 'Apply'],
]
/** Steps that few requests reach, each with its name and the step before it. */
const others: Partial<Record<Step, [name: string, after: Step]>> = {
  lifecycle: ['Removed', 'authenticate'],
  fault: ['Fault', 'authenticate'],
  prefer: ['Prefer', 'authenticate'],
}

export function WhyPanel({ exchange }: { exchange: Exchange }): JSX.Element {
  const { why, refused, violations = [], notes, sent } = exchange
  const operation = sent?.operation ?? exchange.operation
  const place = toPlace(why)
  const target = refused === undefined ? undefined : targetOf(exchange)
  const isFailed = sent !== undefined && statusOf(exchange) === 0
  return (
    <section class={`why${refused === undefined ? '' : ' refused'}${isFailed ? ' failed' : ''}`} aria-label="Why">
      {refused !== undefined && <Verdict exchange={exchange} />}
      {!sent && <Steps step={why.step} isRefused={refused !== undefined} />}
      {violations.length > 0 ? (
        <table class="violations">
          <thead>
            <tr>
              <th>Where</th>
              <th>Keyword</th>
              <th>What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {violations.map(({ in: part, at, rule, message, file, line, pointer }) => (
              <tr key={message}>
                <td>
                  {part} <code>{at}</code>
                </td>
                <td>
                  <code>{rule}</code>
                </td>
                <td>
                  <strong>{message}</strong>
                  <code class="pointer">
                    {toPlace({ file, line })} {pointer}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        refused === undefined && <p class="reason">{why.text}</p>
      )}
      <dl class="facts">
        {operation !== undefined && (
          <Fact name="Operation">
            <a href={toHash('operations', operation)}>{operation}</a>
          </Fact>
        )}
        {target && (
          <Fact name="Record">
            <Named target={target} shown={`${target.collection.name} ${target.key}`} />
          </Fact>
        )}
        {place !== '' && violations.length === 0 && (
          <Fact name="Document">
            <code>{place}</code>
            <code class="pointer">{why.pointer}</code>
          </Fact>
        )}
        {notes
          .filter((note) => !why.text.toLowerCase().includes(note.toLowerCase()))
          .map((note) => (
            <Fact key={note} name="Note">
              {note}
            </Fact>
          ))}
      </dl>
    </section>
  )
}

/** The record in view that the path of a request names. */
function targetOf({ operation, request, world: of }: Exchange): Target | undefined {
  const { collection: name, effect = '', path = '' } = operations.value?.find(({ id }) => id === operation) ?? {}
  const collection = collections.value.find((each) => each.name === name)
  const sent = request.path.split('/')
  const keys = path.split('/').flatMap((part, at) => (/^\{.*\}$/.test(part) ? [decode(sent[at] ?? '')] : []))
  const key = keys.pop()
  const isNamed = of === world.value && !/^(list|create)$/.test(effect)
  if (!collection || collection.key === singletonKey || key === undefined || !isNamed) return undefined
  return { collection, key, parents: keys.length === collection.scope.length ? keys : [] }
}

/** What to do about a refusal. */
const advice: Partial<Record<Step, readonly [text: string, link: string, ...to: string[]]>> = {
  route: ['Check the path and the method:', 'all operations', 'operations'],
  authenticate: ['Send the key of a world:', 'keys', 'worlds'],
  lifecycle: ['It was gone at the time of this request:', 'the clock', 'clock'],
  fault: ['Somebody made it fail on purpose:', 'the faults', 'faults'],
}

/** The reason in one sentence, and the next step. */
function Verdict({ exchange }: { exchange: Exchange }): JSX.Element {
  const { why, response, operation, violations = [] } = exchange
  const { status } = response
  const [first] = violations
  const more = violations.length > 1 ? `, and ${countOf(violations.length - 1, 'more problem')}` : ''
  const { [why.step]: known } = advice
  const own =
    operation === undefined ? undefined : (['Send it with a form:', operation, 'operations', operation] as const)
  const [text, link, ...to] = known ?? own ?? []
  return (
    <div class="verdict">
      <h3>
        {why.step === 'fault' || status >= 500 ? 'Failed' : 'Refused'} with {status}:{' '}
        {first ? first.message + more : why.text.replace(`: status ${status}`, '')}
      </h3>
      {to.length > 0 && (
        <p>
          {text} <a href={toHash(...to)}>{link}</a>
        </p>
      )}
    </div>
  )
}

function Steps({ step, isRefused }: { step: Step; isRefused: boolean }): JSX.Element {
  const { [step]: other } = others
  const shown = steps.flatMap((each): [Step, string][] =>
    other && each[0] === other[1] ? [each, [step, other[0]]] : [each],
  )
  const decided = shown.findIndex(([name]) => name === step)
  return (
    <ol class="steps" aria-label="Steps">
      {shown.map(([name, label], index) => {
        const state = index < decided ? 'passed' : index > decided ? 'skipped' : isRefused ? 'refused' : 'decided'
        return (
          <li key={name} class={state} aria-current={index === decided ? 'step' : undefined}>
            {label}
            <span class="spoken">, {state === 'decided' ? 'answered here' : state}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** What a request caused: changed records and outgoing calls; and what caused an outgoing call. */
export function EffectsPanel({ exchange }: { exchange: Exchange }): JSX.Element | null {
  const { id, world, sent, changes = [] } = exchange
  const { value: all } = exchanges
  const cause = sent && all.find((each) => each.id === sent.exchange)
  const caused = all.filter((each) => each.sent?.exchange === id)
  // Asked again when something was sent.
  const { loaded } = useLoaded(
    () => (world === undefined || sent ? undefined : get<WorldEvent[]>(`/worlds/${encode(world)}/events`)),
    [id, caused.length],
  )
  const waiting = (loaded.value ?? []).filter((each) => each.exchange === id)
  if (!cause && caused.length + waiting.length + changes.length === 0) return null
  return (
    <section class="effects" aria-label="Causes and effects">
      {cause && (
        <>
          <h3>Caused by</h3>
          <ExchangeLink exchange={cause} />
        </>
      )}
      {changes.length > 0 && <h3>Records</h3>}
      <ChangedRecords changes={changes} />
      {caused.length + waiting.length > 0 && <h3>Outgoing calls that it caused</h3>}
      {caused.map((each) => (
        <ExchangeLink key={each.id} exchange={each} />
      ))}
      {waiting.map(({ name, at, url }) => (
        <p key={`${name} ${at} ${url}`}>
          <span class="tag out">waiting</span> {name} to {url}, due at{' '}
          <a href={toHash('clock')}>
            {toTime(at)} on {toDate(at)}
          </a>
        </p>
      ))}
    </section>
  )
}

/** Each changed record with a link to it, while it is there. */
export function ChangedRecords({ changes }: { changes: Exchange['changes'] }): JSX.Element {
  return (
    <>
      {(changes ?? []).map(({ collection, kind, identity }) => (
        <p key={`${collection} ${identity.join(' ')}`}>
          {kind}{' '}
          {kind === 'removed' ? (
            `${collection} ${identity[0]}`
          ) : (
            <a href={toHash('data', collection, 'record', ...identity)}>
              {collection} <Short text={identity[0] ?? ''} />
            </a>
          )}
        </p>
      ))}
    </>
  )
}

function ExchangeLink({ exchange }: { exchange: Exchange }): JSX.Element {
  const { id, sent, request } = exchange
  return (
    <p>
      <a href={toHash('requests', id)}>
        <Status status={statusOf(exchange)} /> {sent && '↗ '}
        <Method method={request.method} /> {calledBy(exchange) || sent?.name}
      </a>{' '}
      <span class="dim">
        #{id}
        {sent && `, ${sent.name}`}
        {sent && sent.attempt > 1 && `, attempt ${sent.attempt}`}
      </span>
    </p>
  )
}
