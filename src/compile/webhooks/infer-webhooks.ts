/** Infers after which operations a webhook without a rule is sent: those whose texts name it, else those that do what its name says. */
import type { EffectKind } from '../../contract/effects/effect.js'
import { singular, wordsOf } from '../../values/words.js'
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
 * The ids of the operations. Empty if nothing says when it is sent.
 * @example inferOperations(context, 'order.shipped') // ['shipOrder']
 */
export function inferOperations({ operations, described }: WebhookContext, name: string): string[] {
  // A name such as `push` may be any word of a description.
  const isDistinct = /[._:/-]|[a-z][A-Z]/.test(name)
  const named = described.filter(({ value: { summary, description } }) => {
    const words = `${summary ?? ''} ${description ?? ''}`.split(/[\s`'"*,;()[\]]+|\.(?:\s|$)/)
    return isDistinct && words.includes(name)
  })
  if (named.length > 0) return named.map(({ id }) => id).filter((id) => operations.some((each) => each.id === id))
  const words = wordsOf(name)
    .map(singular)
    .filter((word) => !general.test(word))
  return operations.flatMap(({ id, effect, path }) => {
    if (!('collection' in effect)) return []
    const nouns = wordsOf(effect.collection.split(/[/.]/).at(-1) ?? '').map(singular)
    const [verb, ...others] = words.filter((word) => !nouns.includes(word))
    if (verb === undefined || others.length > 0 || !nouns.every((noun) => words.includes(noun))) return []
    const done = wordsOf(path.split('/').at(-1) ?? '').map(stemOf)
    const isMeant =
      effect.kind === 'action'
        ? done.includes(stemOf(verb)) && done.length === 1
        : verbs[effect.kind]?.test(stemOf(verb))
    return isMeant ? [id] : []
  })
}
