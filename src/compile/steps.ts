/** Work in steps: at once, or with turns of the event loop for others. */
type Steps<Result> = Generator<unknown, Result>

/** Milliseconds of work in one turn of the event loop. */
const sliceMs = 20

export function finish<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** For Node.js. */
export async function finishInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let since = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - since < sliceMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
