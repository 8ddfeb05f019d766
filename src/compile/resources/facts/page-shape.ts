/** What stands around a list and only describes its page. */
import type { FlatSchema } from '../../schemas/flatten-schema.js'
import { wordsOf } from '../paths/words.js'

/** Words of properties around a list that describe it. */
const pageWords = new Set(
  (
    'count counts total totals size page pages offset limit cursor cursors next prev previous first last more has start end from to ' +
    'skip top token marker link links href url uri self meta metadata paging pagination kind etag object type status success ok ' +
    'code error errors warning warnings message messages time timestamp took version facet facets filter filters sort sorting ' +
    'order query included summary info result results per current number no index max min is truncated remaining num records items ' +
    'elements unreachable disclaimer copyright returned response request continuation iterator key rows entries'
  ).split(' '),
)
const requestId = /^(x_?)?(request|correlation|trace|psp)_?(id|reference)$/i

/** Whether a property describes a page: `nextPageToken`, `@odata.context` */
function isPageName(name: string): boolean {
  return /^(@|_|\$)/.test(name) || requestId.test(name) || wordsOf(name).every((word) => pageWords.has(word))
}

/** Whether a property counts items or leads to another page. */
export function hasPage({ properties }: FlatSchema): boolean {
  return [...properties.keys()].some((name) =>
    wordsOf(name).some((word) => /^(count|total|page|pages|next|cursor|offset|pagination|paging|found)$/.test(word)),
  )
}

/** Whether all other properties than one describe a page. */
export function isPage({ properties }: FlatSchema, list: string): boolean {
  return [...properties.keys()].every((name) => name === list || isPageName(name))
}
