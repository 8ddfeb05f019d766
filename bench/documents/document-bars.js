/** Bars of `npm run bench documents`: limits for the sample of 300 that CI measures. */
export const documentBars = {
  /** Percent of the documents with an operation. */
  loaded: 100,
  crashes: 0,
  internalErrors: 0,
  noAnswers: 0,
  /** Percent of the success bodies. */
  brokenBodies: 0.1,
  /** Percent of the valid requests. */
  succeeded: 97,
  /** Percent of the invalid requests. */
  refused: 99,
  /** Percent of the refusals of operations that document a status that fits. */
  documented: 99,
}
