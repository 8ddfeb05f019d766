/** Runs what a person started, and shows near it why it failed. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { ControlError } from '../api.js'
import type { Violation } from '../api-types.js'

export interface Jobs {
  /** Runs a function. Its error is shown until the next one runs. */
  run(work: () => Promise<unknown>): Promise<boolean>
  problem: Signal<Problem | undefined>
  isBusy: Signal<boolean>
}

export interface Problem {
  message: string
  violations: Violation[]
}

export function useJobs(): Jobs {
  const problem = useSignal<Problem | undefined>(undefined)
  const isBusy = useSignal(false)
  return {
    problem,
    isBusy,
    async run(work) {
      problem.value = undefined
      isBusy.value = true
      try {
        await work()
        return true
      } catch (error) {
        const violations = error instanceof ControlError ? error.violations : []
        problem.value = { message: (error as Error).message, violations }
        return false
      } finally {
        isBusy.value = false
      }
    },
  }
}

export function ProblemText({ jobs }: { jobs: Jobs }): JSX.Element {
  const { value } = jobs.problem
  return (
    <div class="problem-place" role="alert">
      {value && <p class="problem">{value.message}</p>}
    </div>
  )
}
