/**
 * Programs that do not run until their lot is opened, so that nothing is tuned to them. They were drawn by `drawLots` before any
 * program had run.
 */
import { createRandom, pickSome } from '../documents/random.js'

const size = 6

export const lots = {
  1: ['box', 'launchdarkly', 'postmark', 'resend', 'square', 'typesense'],
  2: ['1password', 'api-video', 'clerk', 'google-calendar', 'okta', 'ynab'],
}

/** @returns the lots of a list of names, by seed */
export function drawLots(names) {
  const first = pickSome([...names].sort(), size, createRandom('clients, lot 1'))
  const rest = names.filter((name) => !first.includes(name))
  return { 1: first, 2: pickSome(rest.sort(), size, createRandom('clients, lot 2')) }
}
