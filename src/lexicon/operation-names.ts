/** What operationIds, summaries and paths say that an operation does, beyond the kind of its verb. */
import { bareName, isPlural, mostSearched, singular, wordsOf } from './words.js'

/**
 * The name that developers gave an operation: an operationId without the path and the method that a framework adds.
 * @example `add_reading_batches__batch_id__readings_post` is `add_reading`, and `samples_receive_create` is `samples_receive`
 */
export function withoutPath(id: string, method: string, path: string): string {
  const added = `${path.replace(/\W/g, '_')}_${method.toLowerCase()}`
  if (id.endsWith(added) && id !== added) return id.slice(0, -added.length)
  const name = method === 'POST' ? id.replace(/_create$/, '') : id
  const last = wordsOf(path.split(/[/{}]+/).findLast((segment) => segment !== '') ?? '').at(-1) ?? ''
  const isPath = name !== id && bareName(path.replace(/\{[^}]*\}/g, '')).endsWith(bareName(name))
  return isPath && name.includes('_') && !isPlural(last) ? name : id
}

/** Whether names say that several records are returned: `listUsers`, `findUsers`, `UserList`, `Returns all users` */
export function saysList(id: string, summary: string): boolean {
  const words = wordsOf(id.split(/[./]/).at(-1) ?? '').filter((word) => word !== 'async')
  const [first = '', ...others] = words
  if (first === 'list' || /^(list|search)$/.test(words.at(-1) ?? '')) return true
  if (others[0] === 'all' && /^(get|find|fetch|retrieve|read|load)$/.test(first)) return true
  const end = others.findIndex((word) => /^(by|for|in|of|with|from)$/.test(word))
  const noun = (end === -1 ? others : others.slice(0, end)).at(-1) ?? ''
  if (/^(find|search|query|browse)$/.test(first) && isPlural(noun)) return true
  return /^((gets?|returns?|retrieves?|fetch(es)?|shows?) )?((an?|the|paginated|pageable|paged|filtered|sorted|complete|full|entire) )*(lists?|all|array|collection)\b(?! (the )?(details|information))/i.test(
    summary,
  )
}

/** Whether what is not there is created: `createOrUpdateUser`, `Updates or creates a user` */
export const saysUpsert = (text: string): boolean =>
  /upsert|(create|add|insert)s? ?(or|\/|and) ?(update|replace|edit|modif)|(update|replace)s? ?(or|\/) ?(create|add|insert)/i.test(
    text,
  )

/** Whether a creation changes what exists if it gets its key: `Post a new silence or update an existing one` */
export const saysUpdatesExisting = (text: string): boolean =>
  /\bor (update|replace|edit|modif)\w*( an| the)? existing\b|\breplaces? the existing \w+ if\b/i.test(text)

/** Whether something is created: `createOrReplace`, `Creates or updates a tax`, `Add or update project permissions` */
export function saysCreate(id: string, summary: string): boolean {
  const isAdded = /^\s*adds?\b|\badds?[ _-]+or[ _-]/i
  return (
    [...wordsOf(id), ...wordsOf(summary)].some((word) => /^(creates?|upserts?)$/.test(word)) ||
    isAdded.test(summary) ||
    isAdded.test(id.split(/[./]/).at(-1) ?? '')
  )
}

export const isUpdateWord = (word: string): boolean => /^(update|edit|change|modif(y|ie))s?$/.test(word)
/** Whether only a part of a record changes: `markAsRead` */
export const saysPartial = (id: string): boolean => /^(mark|modify)/i.test(id)
export const saysExport = (id: string): boolean => /^([Ee]xport|[Dd]ownload)(?![a-z])/.test(id)
export const saysFileOrResult = (id: string): boolean =>
  /^([Dd]ownload|[Ee]xport|[Cc]onvert|[Cc]alculate|[Rr]ender|[Pp]review|[Ss]tream)(?![a-z])/.test(id)
export const saysRead = (text: string): boolean => /^(get|retrieve|find)/i.test(text)
export const saysSearch = (segment: string): boolean => /^(search|query|find)/i.test(segment)
/** Whether a segment alone, after a path, stands for a method of HTTP: `/users/new` */
export const isOperationWord = (word: string): boolean => /^(list|search|add|new|all|upsert)$/.test(word)
/** Whether a segment with a key in the query reads a record: `/users/info` */
export const isDetails = (word: string): boolean => /^(info|details?)$/.test(word)
/** Whether something else happens than an event of one record: `/players/invite-all` */
export const isNoSignal = (word: string): boolean => /^(all|invite|request|import|upload)$/.test(word)

/** Whether the noun of a name ends before a word: `getUsersInGroup` */
export const isPreposition = (word: string): boolean =>
  /^(by|for|to|from|of|in|with|on|as|at|using|via|within)$/.test(word)
/** Whether the last word of a noun says that there are several: `getUserList` */
export const endsLikeAll = (word: string): boolean => /^(list|all)$/.test(word)
/** Whether the word after a verb names no resource: `getAll`, `updateMany` */
export const isNoNoun = (word: string): boolean => /^(all|many|one|list|info|detail)$/.test(word)
/** The verb of `photos.getInfo` is `get`. */
export const withoutInfo = (verb: string): string => verb.replace(/^(get|read)Info$/, 'get')
/** Whether what follows a verb is no key of the segment before: `/version/get/{number}` */
export const takesNoKey = (segment: string): boolean => /version|isFor/.test(segment)

/** Whether a segment only says which property names a record: `/parts/by-sku/{sku}` */
export const saysBy = (segment: string): boolean => /^(by|with)(?![a-z])/i.test(segment.replace(/^By(?=[A-Z])/, 'by-'))

/** The noun of a view: users for `/usersByGroup`. */
export function nounOfView(name: string): string {
  const words = wordsOf(name)
  const end = words.findIndex((word, index) => index > 0 && /^(by|of|for|in|with)$/.test(word))
  return singular((end === -1 ? words : words.slice(0, end)).at(-1) ?? '')
}

/** The first word of an operationId, without the name of a group. */
export function firstVerb(id: unknown): string {
  return typeof id === 'string' ? (wordsOf(id.split(/[./_]/).at(-1) ?? '')[0] ?? '') : ''
}

const follows = "states?|status|can|cannot|can't|may|must|will|is|are|to|before|so|when|and|or|if|because"
/** `Ends the active lease`, ``Moves out a `moved out` or ended tenant``. States may be in quotes, and with other separators. */
export function verbPattern(names: readonly string[], values: readonly string[]): RegExp {
  const quote = '[`\'"*]*'
  const known = values.filter((each) => each.length <= mostSearched && /[a-z]{3}/i.test(each)).slice(0, 50)
  const forms = known.toSorted((a, b) => b.length - a.length).map((each) => wordsOf(each).join('[ _-]?'))
  const state = `${quote}(?<![\\w-])(?:${forms.join('|') || '(?!)'})s?(?![\\w-])${quote}`
  const nouns = names
    .filter((each) => each !== '' && each.length <= mostSearched)
    .map((each) => `${each.replace(/y$/, '(?:y|ie)')}(?:e?s)?`)
  const end = `(?=${quote}(?:$|[,.;:()]| (?:${follows}|for|at|by|in|with|on|that|which|whose)\\b))`
  const noun = `\\b(?:${nouns.join('|') || '(?!)'})\\b${end}`
  return new RegExp(`^([a-z]+) (?:an?|the|this) (?:${state}(?:(?:,? (?:or|and)|,|/) ?${state})* )?${noun}`, 'i') // unmeasured: words of names, in sentences up to `maxSentence`
}
