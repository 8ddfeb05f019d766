/** The operations of the document by their tags, and the documented statuses that occurred in this world. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { getOrInsert } from '../../json/own-value.js'
import type { Operation } from '../api.js'
import { isObject, toText } from '../json-text.js'
import { Back, countOf, Empty, Fact, Method, Path } from '../parts/bits.js'
import { Filter } from '../parts/inputs.js'
import { Markdown } from '../parts/markdown.js'
import { route, toDocs, toHash } from '../router.js'
import { listOf, loadDocument, memberOf, objectAt, partAt } from '../schema.js'
import { exchanges, operations, world, worldName } from '../store.js'
import { Contents, Description, placeOf, Responses } from './documented.js'
import { doubtOf, isMet, Markers, OperationDetail } from './operation-detail.js'

/** The part of the address before the name of a request that the service sends. */
const outgoingPart = 'sent'
/** With more operations, groups are closed at first. */
const manyOperations = 60

export function OperationsView(): JSX.Element {
  const filter = useSignal('')
  useEffect(() => void loadDocument().catch(() => {}), [])
  const all = operations.value ?? []
  const words = filter.value.toLowerCase().split(/\s+/)
  const has = (...texts: string[]) => words.every((word) => texts.join(' ').toLowerCase().includes(word))
  const list = all.filter((each) => {
    const { id, method, path, summary = '', effect, tags = [] } = each
    return has(method, path, id, summary, effect, doubtOf(each), ...tags)
  })
  // The document is searched once.
  const outgoing = useMemo(findOutgoing, [all, partAt('')])
  const sent = outgoing.filter(({ kind, name, method, summary }) => has(kind, name, method, summary))
  const [id, at] = route.value.parts
  const chosen = at === undefined ? all.find((each) => each.id === id) : undefined
  const chosenSent = id === outgoingPart ? outgoing.find((each) => each.at === at) : undefined
  useEffect(() => {
    document.querySelector('.operations [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [id, at, all.length > 0])
  const isOpen = all.length <= manyOperations || filter.value !== ''
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <nav class="side" aria-label="Operations">
        <div class="toolbar">
          <Filter value={filter} label="Filter operations" />
        </div>
        {groupsOf(list, all.length > manyOperations).map(([tag, members]) => (
          <Group
            key={tag}
            {...{ tag, members, chosen }}
            isOpen={isOpen || (chosen !== undefined && members.includes(chosen))}
          />
        ))}
        {sent.length > 0 && (
          <details class="tag-group" open>
            <summary>
              Sent by the service <span class="dim">{sent.length}</span>
            </summary>
            <ul class="list operations">
              {sent.map((each) => (
                <Sent key={each.at} outgoing={each} isChosen={each.at === chosenSent?.at} />
              ))}
            </ul>
          </details>
        )}
        {list.length + sent.length === 0 && operations.value && <Empty title="No operation matches" />}
      </nav>
      <section class="main" aria-label={chosen?.id ?? chosenSent?.name ?? 'Statuses'}>
        {chosen ? (
          <OperationDetail key={`${chosen.id} ${world.value}`} operation={chosen} />
        ) : chosenSent ? (
          <OutgoingDetail outgoing={chosenSent} />
        ) : id !== undefined && operations.value ? (
          <Empty title={`There is no operation "${at ?? id}"`} />
        ) : (
          <Grid list={list} />
        )}
      </section>
    </div>
  )
}

/** Operations by their first tag, in the order of the document. Many operations without tags are grouped by their paths. */
function groupsOf(list: readonly Operation[], isMany: boolean): [tag: string, members: Operation[]][] {
  const groups = new Map<string, Operation[]>()
  for (const each of listOf(partAt('/tags'))) if (isObject(each)) groups.set(String(each['name']), [])
  for (const each of list) {
    const segment = each.path.split('/').find((part) => part !== '' && !/^(v\d[\w.]*|api|\{.*)$/.test(part))
    const [tag = isMany ? `/${segment ?? ''}` : ''] = each.tags ?? []
    getOrInsert(groups, tag, (): Operation[] => []).push(each)
  }
  return [...groups].filter(([, members]) => members.length > 0)
}

interface GroupProps {
  tag: string
  members: Operation[]
  chosen: Operation | undefined
  isOpen: boolean
}

function Group({ tag, members, chosen, isOpen }: GroupProps): JSX.Element {
  const found = listOf(partAt('/tags')).find((each) => isObject(each) && each['name'] === tag)
  const { description } = isObject(found) ? found : {}
  const shown = (
    <ul class="list operations">
      {members.map((each) => (
        <li key={each.id}>
          <a href={toHash('operations', each.id)} aria-current={each === chosen ? 'true' : undefined}>
            <Method method={each.method} />
            <span class="named">
              <Path path={each.path} />
              <Markers operation={each} />
            </span>
            {each.summary !== undefined && <span class="about">{each.summary}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
  if (tag === '') return shown
  return (
    <details class="tag-group" open={isOpen}>
      <summary>
        {tag} <span class="dim">{members.length}</span>
      </summary>
      {typeof description === 'string' && (
        <p class="about">
          <Markdown text={description.slice(0, 240)} isInline />
        </p>
      )}
      {shown}
    </details>
  )
}

function Sent({ outgoing, isChosen }: { outgoing: Outgoing; isChosen: boolean }): JSX.Element {
  const { kind, name, method, at, summary, on } = outgoing
  return (
    <li class="outgoing">
      <a href={toHash('operations', outgoingPart, at)} aria-current={isChosen ? 'true' : undefined}>
        <Method method={method} />
        <span class="named">
          <span class="path">
            <span class="arrow" aria-hidden="true">
              ↗
            </span>{' '}
            {name}
          </span>
          <span class="tag out">{kind}</span>
        </span>
        <span class="about">{summary || (on.length > 0 ? `follows ${on.join(', ')}` : '')}</span>
      </a>
    </li>
  )
}

function Grid({ list }: { list: Operation[] }): JSX.Element {
  const statuses = [...new Set(list.flatMap(({ documented }) => documented))].sort()
  const cells = list.flatMap((each) => each.documented.map((status) => isMet(status, each)))
  const met = cells.filter(Boolean).length
  return (
    <div class="grid-pane">
      <h2>Statuses</h2>
      <p>
        {met} of {cells.length} documented statuses occurred in the world {worldName(world.value)}.{' '}
        <span class="dim">Choose an operation to see why it does what it does, and to try it.</span>
      </p>
      {/* Scrolls, so that the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section class="scroll" tabIndex={0} aria-label="Statuses by operation">
        <table class="statuses">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {statuses.map((status) => (
                <th key={status} scope="col">
                  {status}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.map((each) => (
              <tr key={each.id}>
                <th scope="row">
                  <a href={toHash('operations', each.id)}>{each.id}</a>
                </th>
                {statuses.map((status) => (
                  <td key={status}>{each.documented.includes(status) && <Occurrence isMet={isMet(status, each)} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

const Occurrence = ({ isMet }: { isMet: boolean }): JSX.Element =>
  isMet ? <span class="cell met">occurred</span> : <span class="cell">not yet</span>

interface Outgoing {
  kind: 'webhook' | 'callback'
  name: string
  method: string
  /** The place in the document. */
  at: string
  summary: string
  /** A URL with expressions, of a callback. */
  url?: string
  /** Ids of the operations that it follows. */
  on: string[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

function findOutgoing(): Outgoing[] {
  const all = operations.value ?? []
  const sentBy = (name: string) =>
    all.flatMap(({ id, sends = [] }) => (sends.some((each) => each.name === name) ? id : []))
  const webhooks = ['/webhooks', '/x-webhooks'].flatMap((place) =>
    Object.keys(objectAt(place)).flatMap((name) =>
      requestsIn(memberOf(place, name)).map((each): Outgoing => ({ ...each, kind: 'webhook', name, on: sentBy(name) })),
    ),
  )
  const callbacks = all.flatMap((operation) => {
    const place = `${placeOf(operation)}/callbacks`
    return Object.entries(objectAt(place)).flatMap(([name]) => {
      const own = memberOf(place, name)
      const urls = Object.entries(objectAt(own)).filter(([, item]) => isObject(item))
      return urls.flatMap(([url]) =>
        requestsIn(memberOf(own, url)).map(
          (each): Outgoing => ({ ...each, kind: 'callback', name, url, on: [operation.id] }),
        ),
      )
    })
  })
  return [...webhooks, ...callbacks]
}

function requestsIn(item: string): Pick<Outgoing, 'method' | 'at' | 'summary'>[] {
  return methods
    .filter((method) => isObject(objectAt(item)[method]))
    .map((method) => {
      const at = `${item}/${method}`
      return { method: method.toUpperCase(), at, summary: toText(objectAt(at)['summary']) }
    })
}

function OutgoingDetail({ outgoing }: { outgoing: Outgoing }): JSX.Element {
  const { kind, name, method, at, url, summary, on } = outgoing
  const sends = (operations.value ?? []).flatMap(({ sends = [] }) => sends).find((each) => each.name === name)
  const sent = exchanges.value.filter((each) => each.sent?.name === name)
  const latest = sent.at(-1)
  return (
    <article class="detail operation outgoing">
      <header>
        <Back to="operations" />
        <h2>
          <span class="tag out">sent to you</span> <Method method={method} /> <span class="path">{name}</span>
        </h2>
      </header>
      <p>{summary || `A ${kind} that the service sends to your program.`}</p>
      <Description at={at} />
      <dl class="facts">
        <Fact name="Sent to">
          {sends?.to ?? url ?? (latest?.sent?.url || 'the address of --webhook-url, or of the document')}
        </Fact>
        <Fact name="Follows">
          {on.length === 0 && (
            <>
              Nothing sends it.{' '}
              <a href={toDocs('webhooks.md#x-sandbox-webhooks')} target="_blank" rel="noreferrer">
                <code>x-sandbox-webhooks</code>
              </a>{' '}
              says after which operation it is sent.
            </>
          )}
          {on.map((id) => (
            <a key={id} class="property" href={toHash('operations', id)}>
              {id}
            </a>
          ))}
          {sends === undefined && on.length > 0 && <span class="dim"> The sandbox does not send it.</span>}
        </Fact>
        <Fact name="Sent so far">
          {latest ? <a href={toHash('requests', latest.id)}>{countOf(sent.length, 'time')}, the latest</a> : 'not yet'}
        </Fact>
      </dl>
      <h3>Body</h3>
      <Contents at={`${at}/requestBody`} />
      <h3>What you answer</h3>
      <Responses at={at} />
    </article>
  )
}
