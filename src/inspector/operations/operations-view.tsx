/** The operations of the document, and the documented statuses that occurred in this world. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Operation } from '../api-types.js'
import { Empty, Method } from '../parts/bits.js'
import { Filter } from '../parts/inputs.js'
import { route, toHash } from '../router.js'
import { loadDocument } from '../schema.js'
import { operations, world } from '../store.js'
import { isMet, Markers, OperationDetail } from './operation-detail.js'

export function OperationsView(): JSX.Element {
  const filter = useSignal('')
  useEffect(() => {
    loadDocument().catch(() => {})
  }, [])
  const all = operations.value ?? []
  const words = filter.value.toLowerCase().split(/\s+/)
  const list = all.filter(({ id, method, path, summary = '', effect }) =>
    words.every((word) => `${method} ${path} ${id} ${summary} ${effect}`.toLowerCase().includes(word)),
  )
  const [id] = route.value.parts
  const chosen = all.find((each) => each.id === id)
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <nav class="side" aria-label="Operations">
        <div class="toolbar">
          <Filter value={filter} label="Filter operations" />
        </div>
        <ul class="list operations">
          {list.map((each) => (
            <li key={each.id}>
              <a href={toHash('operations', each.id)} aria-current={each === chosen ? 'true' : undefined}>
                <Method method={each.method} />
                <span class="path">{each.path}</span>
                <Markers operation={each} />
              </a>
            </li>
          ))}
        </ul>
        {list.length === 0 && operations.value && <Empty title="No operation matches" />}
      </nav>
      <section class="main" aria-label={chosen?.id ?? 'Statuses'}>
        {chosen ? (
          <OperationDetail key={`${chosen.id} ${world.value}`} operation={chosen} />
        ) : id !== undefined && operations.value ? (
          <Empty title={`There is no operation "${id}"`} />
        ) : (
          <Grid list={list} />
        )}
      </section>
    </div>
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
        The world {world.value} has met {met} of {cells.length} documented statuses.{' '}
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
                  <td key={status}>
                    {each.documented.includes(status) &&
                      (isMet(status, each) ? <span class="cell met">met</span> : <span class="cell">not yet</span>)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
