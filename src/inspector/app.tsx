/** The inspector: a page that shows what a sandbox does, and changes it. Its frame selects the world and the view. */
import { useSignal } from '@preact/signals'
import { type JSX, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { isTokenWrong, needsToken, setToken } from './api.js'
import { ClockView } from './clock-view.js'
import { RecordsView } from './data/records-view.js'
import { DocsView } from './docs-view.js'
import { FaultsView } from './faults-view.js'
import { InlineFields } from './forms/inline-fields.js'
import { receiveExchanges } from './live.js'
import { OperationsView } from './operations/operations-view.js'
import { Button, Empty, toDate } from './parts/bits.js'
import { Options } from './parts/inputs.js'
import { Toast } from './parts/toast.js'
import { RequestsView } from './requests/requests-view.js'
import { kept, route, toDocs, toHash, withQuery } from './router.js'
import {
  about,
  activeFaults,
  environment,
  failure,
  isLive,
  isLost,
  isWorldGone,
  loadAll,
  lookAt,
  movedTime,
  served,
  world,
  worldIds,
  worldName,
} from './store.js'
import { WorldsView } from './worlds-view.js'

/** Each with its page of the docs. */
const views: [id: string, label: string, view: () => JSX.Element, docs: string][] = [
  ['requests', 'Requests', RequestsView, 'inspector.md#why-a-request-got-its-answer'],
  ['data', 'Data', RecordsView, 'inspector.md#find-a-record'],
  ['operations', 'Operations', OperationsView, 'inspector.md#forms'],
  ['worlds', 'Worlds', WorldsView, 'inspector.md#compare-two-worlds'],
  ['clock', 'Clock', ClockView, 'inspector.md#travel-in-time'],
  ['faults', 'Faults', FaultsView, 'inspector.md#make-requests-fail'],
]
const viewOf = (view: string): (typeof views)[number] =>
  view === 'docs'
    ? ['docs', 'Docs', DocsView, 'README.md']
    : (views.find(([id]) => id === view) ?? (views[0] as (typeof views)[number]))

function App(): JSX.Element {
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (needsToken.value) return <TokenForm />
  const [, , View] = viewOf(route.value.view)
  return (
    <>
      <Header />
      <DocumentProblem />
      <Lost />
      <main class={`view view-${route.value.view}`}>
        {failure.value !== '' && !about.value ? (
          <Empty title="The inspector cannot read the sandbox" text={failure.value}>
            <Button label="Try again" onClick={loadAll} />
          </Empty>
        ) : isWorldGone.value && viewsOfWorlds.has(route.value.view) ? (
          <GoneWorld />
        ) : (
          <View />
        )}
      </main>
      <Toast />
    </>
  )
}

/** Views that need a world. */
const viewsOfWorlds: ReadonlySet<string> = new Set(['data', 'operations', 'clock'])

function GoneWorld(): JSX.Element {
  const [other] = worldIds.value
  return (
    <Empty title={`The world ${worldName(world.value)} is gone`} text="It was removed, or its key was revoked.">
      {other !== undefined && <Button label={`Look at ${other}`} kind="primary" onClick={() => lookAt(other)} />}
    </Empty>
  )
}

function Lost(): JSX.Element {
  return (
    <div role="alert">
      {isLost.value && (
        <p class="bar">The sandbox does not answer. Start it again: this page connects again by itself.</p>
      )}
    </div>
  )
}

/** With `--watch`: the latest version of the document cannot be served. */
function DocumentProblem(): JSX.Element {
  const problem = served.value?.problem
  return (
    <div role="alert">
      {problem !== undefined && (
        <div class="bar">
          <strong>The saved document cannot be served. The version before it is still in use.</strong>
          <pre>{problem}</pre>
        </div>
      )}
    </div>
  )
}

/** `/` and Ctrl+K go to the filter, Arrow Down goes from it to the list, Escape closes what is open. */
function onKey(event: KeyboardEvent): void {
  const { target, key } = event
  const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  const isHeld = event.ctrlKey || event.metaKey
  if (!event.altKey && (isHeld ? key.toLowerCase() === 'k' && !event.shiftKey : key === '/' && !isTyping)) {
    const filter = document.querySelector<HTMLInputElement>('[data-filter]')
    if (filter) event.preventDefault()
    filter?.focus()
  }
  if (key === 'ArrowDown' && isTyping && target.matches('[data-filter]')) {
    const area = target.closest('.side, .main')
    area?.querySelector<HTMLElement>(':is(.rows, tbody) a[tabindex="0"], .list a, .rows a, tbody a')?.focus()
    event.preventDefault()
  }
  if (key !== 'Escape' || event.defaultPrevented) return
  if (isTyping && target.matches('[data-filter]')) {
    target.blur()
    return
  }
  const { view, parts } = route.value
  // The collection of a record stays open.
  const kept = view === 'data' ? 1 : 0
  if (parts.length > kept) location.hash = withQuery(toHash(view, ...parts.slice(0, kept)))
}

function Header(): JSX.Element {
  const { title = 'Sandbox', environments = [] } = about.value ?? {}
  const [, label, , docs] = viewOf(route.value.view)
  const gone = isWorldGone.value ? [[world.value, `${worldName(world.value)}, gone`, true] as const] : []
  return (
    <header class="top">
      <h1 title={title}>{title}</h1>
      <nav aria-label="Views">
        {views.map(([id, label]) => (
          <a
            key={id}
            href={toHash(id) + (id === 'requests' && kept.value ? `?${kept.value}` : '')}
            aria-current={route.value.view === id ? 'page' : undefined}
          >
            {label}
            {id === 'clock' && movedTime.value !== undefined && <span class="count">{toDate(movedTime.value)}</span>}
            {id === 'faults' && activeFaults.value > 0 && <span class="count">{activeFaults.value}</span>}
          </a>
        ))}
      </nav>
      <div class="choose">
        {environments.length > 1 && (
          <Options
            aria-label="Environment"
            value={environment.value}
            options={environments.map(({ name }) => [name])}
            onChoice={(name) => (environment.value = name)}
          />
        )}
        <Options
          aria-label="World"
          value={world.value}
          options={[...gone, ...worldIds.value.map((id) => [id, worldName(id)] as const)]}
          onChoice={lookAt}
        />
        <a
          class="docs"
          href={toDocs(docs)}
          target="_blank"
          rel="noreferrer"
          aria-label={`Docs of ${label}`}
          title={`Docs of ${label}`}
        >
          ?
        </a>
        <span class={isLive.value ? 'live' : isLost.value ? 'live lost' : 'live dim'} role="status">
          {isLive.value ? 'live' : isLost.value ? 'offline' : 'connecting'}
        </span>
      </div>
    </header>
  )
}

const tokenField = { name: 'token', label: 'Token', schema: { type: 'string', format: 'password' }, isRequired: true }

function TokenForm(): JSX.Element {
  const token = useSignal<unknown>(undefined)
  return (
    <main class="token">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          if (setToken(String(token.value))) void loadAll()
        }}
      >
        <h1>This sandbox has a control token</h1>
        <p>Enter the token from --control-token. This tab keeps it until it is closed.</p>
        <InlineFields
          fields={[tokenField]}
          values={{ token: token.value }}
          onChange={(next) => (token.value = next['token'])}
        />
        <div role="alert">
          {isTokenWrong.value && <p class="problem">The sandbox was started with another token.</p>}
        </div>
        <button type="submit" class="primary">
          Open the inspector
        </button>
      </form>
    </main>
  )
}

const root = document.getElementById('app')
if (root) render(<App />, root)
void loadAll()
void receiveExchanges()
