/** A button that lets the next request fail which is like this one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../api.js'
import { loadFaults } from '../store.js'
import type { Jobs } from './jobs.js'

export interface FailNextProps {
  /** Which requests, as the rule of a fault. */
  requests: { operation?: string; method?: string; path?: string; key?: string }
  jobs: Jobs
}

export function FailNext({ requests, jobs }: FailNextProps): JSX.Element {
  const said = useSignal('')
  async function fail(): Promise<void> {
    const rule = { ...requests, times: 1, status: 503 }
    if (await jobs.run(() => call('POST', '/faults', rule).then(loadFaults))) said.value = 'The next one gets 503'
  }
  return (
    <>
      <button type="button" onClick={fail} disabled={jobs.isBusy.value}>
        Fail the next one
      </button>
      <span class="said" role="status">
        {said.value}
      </span>
    </>
  )
}
