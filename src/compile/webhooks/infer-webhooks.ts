/** Infers after which operations a webhook without a rule is sent: those that it names or that name it, else those that do what its name says. */
import type { EffectKind } from '../../contract/effects/effect.js'
import { getOrInsert } from '../../json/own-value.js'
import { singular, wordsOf } from '../../lexicon/words.js'
import { stemOf } from './find-events.js'
import type { WebhookContext } from './webhook-context.js'

/** Stems of words for what an effect does. An action is named by its own word: `ship` for `POST /orders/{id}/ship`. */
const verbs: Partial<Record<EffectKind, RegExp>> = {
  create: /^(creat|add|new|plac|open|regist)/,
  replace: /^(updat|chang|edit|modif|replac)/,
  update: /^(updat|chang|edit|modif|patch)/,
  remove: /^(delet|remov|destroy)/,
}
/** Words of names that say nothing about the event. */
const general = /^(on|event|webhook|hook|notification|a|the|was|has|been|v\d+)$/

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
  const changes = operations.flatMap(({ id, effect, method, path }) => {
    if (!('collection' in effect)) return []
    // `DELETE …/suspended` is no suspension.
    const isMeaning = effect.kind === 'action' ? method !== 'DELETE' : verbs[effect.kind] !== undefined
    if (!isMeaning) return []
    const nouns = wordsOf(effect.collection.split(/[/.]/).at(-1) ?? '').map(singular)
    return [{ id, kind: effect.kind, nouns, done: wordsOf(path.split('/').at(-1) ?? '').map(stemOf) }]
  })
  for (const name of names) {
    if (found.has(name)) continue
    const words = wordsOf(name)
      .map(singular)
      .filter((word) => !general.test(word))
    for (const { id, kind, nouns, done } of changes) {
      const [verb, ...others] = words.filter((word) => !nouns.includes(word))
      if (verb === undefined || others.length > 0 || !nouns.every((noun) => words.includes(noun))) continue
      const stem = stemOf(verb)
      const isMeant = kind === 'action' ? done.length === 1 && done[0] === stem : verbs[kind]?.test(stem)
      if (isMeant) getOrInsert(found, name, () => new Set()).add(id)
    }
  }
  return new Map([...found].map(([name, all]) => [name, [...all]]))
}
