/**
 * Bars of `npm run bench documents`: limits for the sample of 300 with seed 1, which CI measures.
 */
export const documentBars = {
  /** Percent of the documents with an operation that load. */
  loaded: 100,
  /** How often the server ended on a request. */
  crashes: 0,
  /** Answers 5xx, except 501. */
  internalErrors: 0,
  /** Requests whose connection was closed, or that took more than ten seconds. */
  noAnswers: 0,
  /** Percent of the success bodies that break their schema. */
  brokenBodies: 0.1,
  /** Percent of the valid requests with a documented, valid success, without those for keys that nobody made. */
  succeeded: 97,
  /** Percent of the invalid requests that are refused. */
  refused: 99,
  /** Percent of the refusals with a documented answer, where the operation documents one that fits. */
  documented: 99,
  /** Percent of the refusals that carry the reason, of those whose documented schema has any free text. */
  reasons: 99,
  /** Percent of these refusals that show filler beside the reason. */
  fillers: 1,
  /** Percent of the valid requests that could not be built: what is not sent proves nothing. */
  unbuilt: 1,
}
