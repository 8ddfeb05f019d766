/** Runs actions of the user and loads data for views. Both show why they failed. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ControlError, noAnswer, type Violation } from '../api.js'
import { isLost } from '../store.js'

export interface Jobs {
  /** Runs a function. Its error is shown until the next one runs. */
  run(work: () => Promise<unknown>): Promise<boolean>
  problem: Signal<Problem | undefined>
  isBusy: Signal<boolean>
}

interface Problem {
  message: string
  violations: Violation[]
}

export function useJobs(): Jobs {
  const problem = useSignal<Problem | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    // It failed because the sandbox did not answer.
    if (!isLost.value && problem.value?.violations.length === 0) problem.value = undefined
  }, [isLost.value])
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
  const { message = '' } = jobs.problem.value ?? {}
  return (
    <div class="problem-place" role="alert">
      {message !== '' && <p class="problem">{message}</p>}
    </div>
  )
}

/** Shows a problem. Renders nothing for an empty text, and for what the bar at the top says. */
export function Problem({ text }: { text: string }): JSX.Element | null {
  return text === '' || (isLost.value && text === noAnswer) ? null : <p class="problem">{text}</p>
}

/**
 * Loads a value, and loads it again when one of the inputs changes. The last value stays until then.
 * @param load returns undefined if there is nothing to load
 */
export function useLoaded<T>(
  load: () => Promise<T> | undefined,
  inputs: readonly unknown[],
): { loaded: Signal<T | undefined>; problem: Signal<string> } {
  const loaded = useSignal<T | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    load()?.then(
      (value) => {
        problem.value = ''
        loaded.value = value
      },
      (error: Error) => (problem.value = error.message),
    )
  }, inputs)
  return { loaded, problem }
}
