/** Finds the state in which a record begins: the one from which all others are reached. */

import type { SchemaObject } from '../../document/document.js'
import {
  firstBeginning,
  firstWorking,
  isAwaiting,
  isBegun,
  isCaused,
  isStateName,
  isWorking,
} from '../../lexicon/stages.js'
import { listedIn, saysFirst } from '../../lexicon/texts.js'
import { wordsOf } from '../../lexicon/words.js'
import type { FlatSchema } from '../../schemas/flatten-schema.js'

/** Whether a text is the state of a record whose values are not listed. */
export function isFreeState(property: string, { types, keywords }: FlatSchema): boolean {
  const { enum: allowed, const: only, format, pattern, maxLength = minState } = keywords
  const isFree = allowed === undefined && only === undefined && format === undefined && pattern === undefined
  return (
    isFree && types.has('string') && wordsOf(property).length === 1 && isStateName(property) && maxLength >= minState
  )
}

/** Shorter states are codes. */
const minState = 12

/** The states of a property: those that its schema allows, else those that its description lists. */
export function statesOf(keywords: SchemaObject, allowed?: readonly unknown[]): string[] {
  return textsIn(allowed) ?? listed(keywords)
}

/** The texts among allowed values. */
export function textsIn(allowed: readonly unknown[] | undefined): string[] | undefined {
  return allowed?.filter((each): each is string => typeof each === 'string' && each !== '')
}

/** Values that a description lists in quotes, or in capitals. */
function listed({ description, example, pattern, format }: SchemaObject): string[] {
  if (pattern !== undefined || format !== undefined) return []
  const { quoted, capitals } = listedIn(String(description ?? ''))
  if (quoted.length > 1) return [...new Set(quoted)]
  const isKnown = (state: string) => isBegun(state) || isWorking(state) || isCaused(state)
  if (capitals.length > 1 && capitals.some(isKnown)) return [...new Set(capitals)]
  return typeof example === 'string' && example !== '' ? [example] : []
}

/** The state in which a record begins. @returns undefined if all are states in which records end */
export function chooseState(
  values: readonly string[],
  { description, examples, example }: SchemaObject,
): string | undefined {
  const text = String(description ?? '')
  const placeOf = (value: string) => findWord(text, value)
  const isListed = values.every((value) => placeOf(value) >= 0)
  const ordered = isListed ? values.toSorted((one, other) => placeOf(one) - placeOf(other)) : values
  // A description has what it says of a state behind its name.
  const said = ordered.filter((value, index) => {
    const at = placeOf(value)
    if (at < 0) return false
    const next = isListed && index + 1 < ordered.length ? placeOf(ordered[index + 1] ?? '') : undefined
    const own = text.slice(at, Math.min(next ?? text.length, at + 160))
    return saysFirst((isListed ? own : own.split(/[\n;]|\. /)[0]) ?? '')
  })
  if (said.length === 1) return said[0]
  const open = ordered.filter((value) => !isCaused(value))
  const shown = example ?? examples?.[0]
  return (
    firstBeginning(ordered) ??
    ordered.find(isAwaiting) ??
    open.find((value) => value === shown) ??
    firstWorking(ordered) ??
    open[0]
  )
}

/** The place of a whole word in a text, or -1. */
function findWord(text: string, word: string): number {
  const isInside = (at: number) => /[\w-]/.test(text[at] ?? ' ')
  let at = word === '' ? -1 : text.indexOf(word)
  while (at >= 0 && (isInside(at - 1) || isInside(at + word.length))) at = text.indexOf(word, at + 1)
  return at
}
