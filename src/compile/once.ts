/** Calls a function when its result is needed for the first time, and keeps the result. */
export function once<Result extends object>(calculate: () => Result): () => Result {
  let known: Result | undefined
  return () => {
    known ??= calculate()
    return known
  }
}
