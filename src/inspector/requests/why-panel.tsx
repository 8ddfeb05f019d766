/** The reason for an answer: the step, the keyword and its place in the document. */
import type { JSX } from 'preact'
import { singletonKey } from '../../json/path-property.js'
import type { Exchange, Step } from '../api.js'
import { Named } from '../data/cell.js'
import type { Target } from '../data/place.js'
import { countOf, Fact, toPlace } from '../parts/bits.js'
import { decode, toHash } from '../router.js'
import { collections, operations, statusOf, world } from '../store.js'

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
