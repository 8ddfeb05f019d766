/** Long work in steps: at once, or in slices with turns of the event loop for others in between. */
type Steps<Result> = Generator<unknown, Result>

/** Returns a promise of the next turn, or undefined if it is not needed yet. */
type Pause = () => Promise<void> | undefined

/** Milliseconds of work in one turn of the event loop. */
const sliceMs = 20

export function finish<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

export async function finishInSlices<Result>(steps: Steps<Result>, pause: Pause = createPause()): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await pause()
  }
}

/** A pause once a turn has taken long enough. */
export function createPause(): Pause {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** A timer waits for at least a millisecond, and browsers have nothing else. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void (globalThis.setImmediate ?? setTimeout)(resolve))
}
