/** Names the classes of `classes.js` that explain why a step failed. */

/**
 * A check names its class, or has that of its step. An error that the step threw is explained by the last answer, if that says enough.
 *
 * @param ran what `runStep` returns
 * @returns names of classes, each once; none for a step that is right, or that only follows an earlier failure
 */
export function nameClasses({ outcome, findings, isConsequence }, step, exchanges) {
  if (outcome === 'right' || isConsequence) return []
  const names = findings.map(({ class: own, isThrown }) => {
    return own ?? (isThrown ? classOfAnswer(exchanges.at(-1)) : undefined) ?? step.class
  })
  return [...new Set(names)]
}

function classOfAnswer(exchange) {
  if (exchange === undefined) return undefined
  const { status, path } = exchange
  if (status === 415 || status === 406) return 'media-types'
  if (status === 405) return 'methods'
  if (status === 404 && /\/(\?|$)/.test(path)) return 'trailing-slash'
  if (status === 409) return 'collisions'
  if (status === 400 || status === 422) return 'refusals'
  return undefined
}
