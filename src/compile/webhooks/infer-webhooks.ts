/** Infers after which operations a webhook without a rule is sent: those that it names or that name it, else those that do what its name says. */
import type { EffectKind } from '../../contract/effects/effect.js'
import { getOrInsert } from '../../json/own-value.js'
import { changeNamed, isGeneralEventWord, stemOf } from '../../lexicon/events.js'
import { singular, wordsOf } from '../../lexicon/words.js'
import type { WebhookContext } from './webhook-context.js'

/** What an effect does. An action is named by its own word: `ship` for `POST /orders/{id}/ship`. */
const changes: Partial<Record<EffectKind, ReturnType<typeof changeNamed>>> = {
  ...{ create: 'create', replace: 'change', update: 'change', remove: 'remove' },
}

/**
 * Returns the ids of the operations by the name of the webhook. Empty lists are left out.
 * @param webhooks what is said of each, by its name
 * @example inferOperations(context, new Map([['order.shipped', 'Sent after `shipOrder`']])) // Map { 'order.shipped' => ['shipOrder'] }
 */
export function inferOperations(
  { operations, described }: WebhookContext,
  webhooks: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const names = [...webhooks.keys()]
  if (names.length === 0) return new Map()
  const ids = new Set(operations.map(({ id }) => id))
  // A name such as `push` may be any word of a description.
  const distinct = new Set(names.filter((name) => /[._:/-]|[a-z][A-Z]/.test(name)))
  const found = new Map<string, Set<string>>()
  for (const { id, value } of described) {
    const texts = `${value.summary ?? ''} ${value.description ?? ''}`.split(/[\s`'"*,;()[\]]+|\.(?:\s|$)/)
    for (const word of texts) if (distinct.has(word) && ids.has(id)) getOrInsert(found, word, () => new Set()).add(id)
  }
  const places = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]))
  for (const [name, said] of webhooks) {
    const words = (said.match(/[\w.-]+/g) ?? []).filter((word) => /[a-z][A-Z]/.test(word))
    const paths = said.match(/\b[A-Z]{3,7} \/[\w{}/.:-]*[\w}]/g) ?? []
    for (const id of [...words, ...paths.map((each) => places.get(each) ?? '')])
      if (ids.has(id)) getOrInsert(found, name, () => new Set()).add(id)
  }
  const changing = operations.flatMap(({ id, effect, method, path }) => {
    if (!('collection' in effect)) return []
    // `DELETE …/suspended` is no suspension.
    const isMeaning = effect.kind === 'action' ? method !== 'DELETE' : changes[effect.kind] !== undefined
    if (!isMeaning) return []
    const nouns = wordsOf(effect.collection.split(/[/.]/).at(-1) ?? '').map(singular)
    return [{ id, kind: effect.kind, nouns, done: wordsOf(path.split('/').at(-1) ?? '').map(stemOf) }]
  })
  for (const name of names) {
    if (found.has(name)) continue
    const words = wordsOf(name)
      .map(singular)
      .filter((word) => !isGeneralEventWord(word))
    for (const { id, kind, nouns, done } of changing) {
      const [verb, ...others] = words.filter((word) => !nouns.includes(word))
      if (verb === undefined || others.length > 0 || !nouns.every((noun) => words.includes(noun))) continue
      const stem = stemOf(verb)
      const isMeant = kind === 'action' ? done.length === 1 && done[0] === stem : changes[kind] === changeNamed(verb)
      if (isMeant) getOrInsert(found, name, () => new Set()).add(id)
    }
  }
  return new Map([...found].map(([name, all]) => [name, [...all]]))
}
