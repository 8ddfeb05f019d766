/** Classifies the verbs in paths, operationIds and summaries. */
import { isCounting } from './numbers.js'
import { bareName, isPlural, singular, wordsOf } from './words.js'

/** The kind of operation that a verb means. */
export type VerbKind = 'list' | 'read' | 'create' | 'replace' | 'update' | 'remove' | 'action' | 'compute'

const verbs: Record<VerbKind, string> = {
  list: 'list index browse all query search find filter lookup',
  read: 'get fetch read retrieve show view describe load obtain wait poll',
  create: 'create add new insert register post upload append import submit',
  replace: 'replace put upsert save set overwrite',
  update: 'update modify edit patch change rename alter write',
  remove: 'delete remove destroy erase purge drop unset clear',
  action:
    'accept acknowledge activate adopt allocate apply approve archive assign associate attach authorize ban bind block book ' +
    'bookmark boost calibrate cancel capture charge checkin checkout claim clone close commit complete configure confirm ' +
    'connect consume copy deactivate decline deny deploy detach disable disassociate disconnect dismiss dispatch disable ' +
    'duplicate eject enable enroll execute expire extend fail favorite favourite finalize finish flag follow fork freeze ' +
    'fulfill grant halt hide hold ignore install interrupt invite invoke invalidate join kick kill launch leave like link ' +
    'lock mark merge migrate move mute notify open pair park pause pay pin play post process promote publish quarantine ' +
    'reactivate reassign reboot redeliver rerun reindex rescan rebuild push pull recover redeem refresh refund regenerate register reject release reload reopen reorder ' +
    'repair reply report request reschedule resend reset resize resolve restart restore resubmit resume retry return ' +
    'review revert revoke rollback rollover rotate run scale schedule send settle share ship sign skip snooze snapshot ' +
    'adjust defer deliver discard dispense escalate postpone receive reserve retire retract ' +
    'star start stop submit subscribe suspend swap switch sync synchronize tag terminate toggle track transfer transition ' +
    'trash trigger truncate unarchive unassign unban unblock unfollow unfreeze unhide uninstall unlike unlink unlock ' +
    'unmute unpair unpin unpublish unregister unstar unsubscribe unsuspend untag upgrade downgrade verify void ' +
    'vote withdraw watch unwatch wipe activate undelete undo redo renew',
  compute:
    'analyze analyse authenticate autocomplete batch bulk calculate check classify compare compile compute convert count decode detect ' +
    'diff download encode encrypt decrypt echo estimate evaluate exchange explain export extract format forecast generate ' +
    'geocode healthcheck introspect login logout match measure optimize parse ping predict preview print probe quote rank ' +
    'rate recommend recognize render resolve route score simulate solve suggest summarize summarise test tokenize token transform ' +
    'translate validate verify signin signout signup authorize oauth ask answer graphql rpc reverse',
}

const kinds = new Map<string, VerbKind>()
// A word with two meanings gets the first one in the table.
for (const [kind, words] of Object.entries(verbs)) {
  for (const word of words.split(' ')) if (!kinds.has(word)) kinds.set(word, kind as VerbKind)
}
for (const word of ['post', 'register', 'submit', 'import', 'append']) kinds.set(word, 'create')

/** `check-in` does something, and `check` computes. */
function kindOf(first: string, second: string | undefined): VerbKind | undefined {
  return (second === 'in' || second === 'out' ? kinds.get(first + second) : undefined) ?? kinds.get(first)
}

export function kindOfVerb(word: string): VerbKind | undefined {
  return kinds.get(word)
}

/** Verbs that are more often nouns in paths. */
const nouns = new Set(
  (
    'index view post report request review order book charge link tag share rate match check test process transfer vote ' +
    'watch like star hold play batch count format route score quote print set file query answer filter all new upload import ' +
    'export copy schedule snapshot token message comment invite change contact exchange forecast transform return ' +
    'process document track access record store list input output load'
  ).split(' '),
)

/** Verbs with the same meaning at the end of a name: `two-factor-login` */
const computing = new Set(['login', 'logout', 'signin', 'signout', 'validate', 'authenticate', 'suggestions'])

/** Nouns with the same endings as such verbs. */
const sounding = /(initialise|initialize|wise|rise|prise|mise|vise|cise|tise|size|prize|noise|praise)$/

/** `listUsers` is a verb with an object, but `list-item` is a noun. */
function isPluralList([first, ...others]: string[]): boolean {
  return first === 'list' && isPlural(others.at(-1) ?? '')
}

/** The kind of verb that a path segment begins with: `cancel`, `mark-as-read` or `findByStatus`. */
export function verbOfSegment(segment: string): { kind: VerbKind; isCertain: boolean } | undefined {
  const words = wordsOf(segment)
  const [first = '', ...others] = words
  const kind = kindOf(first, others[0])
  if (computing.has(words.at(-1) ?? '') || /geocod(e|er|ing)$/.test(words.at(-1) ?? ''))
    return { kind: 'compute', isCertain: true }
  // Verbs such as `categorize` and `classify` compute.
  if (kind === undefined && words.length === 1 && /[a-z]{4}(ize|ise|ify|yze|yse)$/.test(first) && !sounding.test(first))
    return { kind: 'compute', isCertain: true }
  if (kind === undefined) return undefined
  return {
    kind,
    isCertain:
      isPluralList(words) ||
      (others.length > 0 ? !nouns.has(first) || /^(by|as|for|all|in|out)$/.test(others[0] ?? '') : !nouns.has(first)),
  }
}

/** The kind of verb of an operationId: its first word, or the first one after a dot or an underscore. */
export function verbOfId(written: string | undefined, method: string): VerbKind | undefined {
  if (written === undefined) return undefined
  // `users_post` only repeats the method.
  const id = written
    // `loadBalancers_create` loads nothing.
    .replace(/load[-_]?(?=balanc)/gi, '')
    .replace(new RegExp(`[._/-]${method}$`, 'i'), '') // unmeasured: the name of a method of HTTP
    .replace(/(?<=[a-z])(Get|Post|Put|Patch|Delete|POST|GET|PUT)$/, (end) => (end.toUpperCase() === method ? '' : end))
  // `PostAccounts` only repeats the method.
  const isRepeated = wordsOf(id)[0] === method.toLowerCase()
  if ((method === 'POST' || method === 'PUT') && isRepeated) return undefined
  // The group in `Users_Rerun` is ignored if the rest has a verb.
  const grouped = /^[A-Z][A-Za-z0-9]*_([A-Z]\w*)$/.exec(id)?.[1]
  const saidInGroup = kinds.get(wordsOf(grouped ?? '')[0] ?? '')
  if (saidInGroup !== undefined) return saidInGroup
  const [group = '', ...others] = id.split(/[._/:]/)
  // The first of several parts names the service.
  const parts = others.length > 1 ? others.toReversed() : [id, ...others.toReversed(), group]
  for (const part of parts) {
    const [first = '', second = ''] = wordsOf(part)
    // `package_batch` is about a batch.
    if (part !== id && part !== group && nouns.has(first) && kinds.get(first) === 'compute') continue
    const found = kindOf(first, second) ?? (/^(api|v\d+|do)$/.test(first) ? kinds.get(second) : undefined)
    if (found !== undefined) return found
  }
  const last = kinds.get(wordsOf(id).at(-1) ?? '')
  return last === 'list' || last === 'read' || last === 'create' || last === 'update' || last === 'remove'
    ? last
    : undefined
}

/** The kind of verb of a summary: `Cancel an order`, `Retrieves a book`. */
export function verbOfSummary(summary: unknown): VerbKind | undefined {
  if (typeof summary !== 'string') return undefined
  const [first = '', second] = wordsOf(summary)
  // `Returns all users` describes the answer, not an action.
  if (/^returns?$/.test(first)) return 'read'
  return (
    kindOf(first, second) ??
    kinds.get(first.replace(/es$/, '')) ??
    kinds.get(first.replace(/s$/, '')) ??
    kinds.get(first.replace(/s$/, 'e'))
  )
}

/** Verbs that undo a relation of two records. */
const detaching = new Set(
  `detach disassociate dissociate remove unassign unlink untag unsubscribe unbind unregister deregister`.split(' '),
)
/** Verbs that add a relation of two records. */
const linking = new Set(`add attach assign link associate connect put include enroll invite`.split(' '))
/** Verbs that end a relation. */
const unlinking = new Set(`remove delete detach unassign unlink disassociate dissociate disconnect exclude`.split(' '))
/** Verbs that make another record of the same kind. */
const copying = new Set(`copy clone duplicate fork replicate`.split(' '))
/** Verbs that make a key or a token again. */
const renewing = new Set(`refresh rotate renew regenerate roll reset exchange`.split(' '))
/** Verbs that make something new. */
const making = new Set(`create add new generate issue start begin initiate register insert exchange`.split(' '))
/** Verbs that read. */
const reading = new Set(`get read retrieve fetch describe lookup`.split(' '))
/** Verbs that ask for records of a collection. */
const asking = new Set(`query search find filter lookup list autocomplete suggest`.split(' '))
/** Verbs that only change the state of a record. */
const switching = new Set(
  `subscribe unsubscribe enable disable activate deactivate reactivate block unblock lock unlock mute unmute follow
  unfollow suspend unsuspend cancel revert archive unarchive publish unpublish ban unban`.split(/\s+/),
)
/** Verbs of a DELETE that changes a state, and removes nothing. */
const resetting = new Set(`unsuspend unblock unlock disable cancel stop unpublish deactivate enable`.split(' '))
/** Words of operations on many records at once. */
const many = new Set(`bulk batch multiple many multi`.split(' '))

export const isDetaching = (verb: string): boolean => detaching.has(verb)
export const isLinking = (verb: string): boolean => linking.has(verb)
export const isUnlinking = (verb: string): boolean => unlinking.has(verb) || (verb.startsWith('un') && verb.length > 2)
export const isCopying = (verb: string): boolean => copying.has(verb)
/** Whether an answer repeats what it is about: that of a copy, or of what is sent again. */
export const isRepeating = (verb: string): boolean => isCopying(verb) || verb === 'resend'
export const isRenewing = (verb: string): boolean => renewing.has(verb)
export const isMaking = (verb: string): boolean => making.has(verb)
export const isReading = (verb: string): boolean => reading.has(verb)
export const isAsking = (verb: string): boolean => asking.has(verb.toLowerCase())
/** Whether a verb only changes the state of a record: `cancel`, `unlock` */
export const isSwitching = (verb: string): boolean => switching.has(verb)
/** Whether a DELETE only changes a state: `DELETE /users/{id}/ban` that is called `unblockUser` */
export const isResetting = (verb: string): boolean => resetting.has(verb)
/** Whether a word says that many records are meant: `bulk`, `batch` */
export const saysMany = (word: string): boolean => many.has(word.toLowerCase())
export const summarySaysMany = (summary: string): boolean => /one or more|multiple|several|\bmany\b/i.test(summary)

/** Irregular participles, and states with other names. */
const irregular: ReadonlyMap<string, string[]> = new Map(
  Object.entries({
    pay: ['paid'],
    send: ['sent', 'sending', 'submitted'],
    sell: ['sold'],
    forgive: ['forgiven', 'waived'],
    hold: ['held', 'onhold'],
    leave: ['left'],
    begin: ['begun', 'started'],
    run: ['running', 'run'],
    start: ['started', 'running', 'active', 'inprogress'],
    stop: ['stopped', 'inactive'],
    submit: ['submitted', 'pending'],
    activate: ['activated', 'active'],
    deactivate: ['deactivated', 'inactive'],
    disable: ['disabled', 'inactive'],
    suspend: ['suspended', 'inactive'],
    resume: ['resumed', 'running', 'active'],
    reopen: ['reopened', 'open', 'opened'],
    open: ['opened', 'open'],
    approve: ['approved', 'accepted'],
    accept: ['accepted', 'approved', 'active'],
    reject: ['rejected', 'declined', 'denied'],
    decline: ['declined', 'rejected'],
    deny: ['denied', 'rejected'],
    capture: ['captured', 'succeeded', 'completed'],
    confirm: ['confirmed', 'succeeded'],
    refund: ['refunded'],
    void: ['voided', 'void', 'canceled', 'cancelled'],
    complete: ['completed', 'complete', 'done'],
    finish: ['finished', 'completed', 'done'],
    end: ['ended', 'completed', 'finished'],
    close: ['closed', 'completed'],
    terminate: ['terminated', 'ended', 'stopped'],
    shutdown: ['shutdown', 'offline', 'off', 'stopped', 'poweredoff'],
    boot: ['booted', 'running', 'online'],
    finalize: ['finalized', 'open'],
    publish: ['published', 'live'],
    unpublish: ['unpublished', 'draft'],
    verify: ['verified', 'valid'],
    trash: ['trashed', 'deleted'],
    ship: ['shipped'],
    win: ['won'],
    lose: ['lost'],
    withdraw: ['withdrawn'],
    freeze: ['frozen'],
  }),
)

/** The opposites of verbs without a negating prefix such as that of `unlock`. */
const takenBack: ReadonlyMap<string, string[]> = new Map(
  Object.entries({
    enable: ['disable'],
    disable: ['enable'],
    activate: ['deactivate', 'disable', 'suspend', 'archive'],
    open: ['close'],
    reopen: ['close', 'archive', 'resolve', 'complete'],
    close: ['open'],
    start: ['stop', 'pause'],
    resume: ['pause', 'suspend', 'stop'],
    stop: ['start', 'run'],
    show: ['hide'],
    allow: ['block'],
    release: ['hold', 'lock'],
    ...Object.fromEntries(
      ['restore', 'recover', 'reinstate', 'untrash', 'undelete'].map((verb) => [
        verb,
        ['delete', 'archive', 'trash', 'remove', 'suspend', 'cancel', 'deactivate'],
      ]),
    ),
  }),
)
/** What follows a verb, and its opposite. */
const particles: Record<string, string> = { in: 'out', out: 'in', on: 'off', off: 'on', up: 'down', down: 'up' }
/** Such a verb as one word: `checkin` */
const withParticle = /^(check|clock|sign|opt|power|turn|switch|lock|log|mark|scale|shut)(in|out|on|off|up|down)$/

/** Prefixes of verbs that undo something. */
const opposites = /^(un|de|dis)(?=[a-z]{3})/

/** The participles of a verb, and the states that it leads to. @example 'cancel' has cancelled, canceled */
export function participles(verb: string): string[] {
  const [, base, particle = ''] = withParticle.exec(verb) ?? []
  const own = [...(irregular.get(verb) ?? []), ...(base ? participles(base).map((each) => each + particle) : [])]
  if (verb.endsWith('e')) return [...own, `${verb}d`, verb]
  if (/[^aeiou]y$/.test(verb)) return [...own, verb.replace(/y$/, 'ied'), verb]
  const last = verb.at(-1) ?? ''
  return [...own, `${verb}ed`, `${verb}${last}ed`, verb]
}

/** What surrounds a participle in the name of a flag: `isLiked`, `viewer_has_starred`, `liked_by_me`, `follow_status` */
const aroundFlags =
  /^(viewer|current_?user|user|i)?_?(is|has|have|was|am)_?(?=.{3})|_?by_?(me|viewer|user|current_?user)$|_?status$/gi

/** Whether a flag says that something is done to its record: `followed`, `following` and `is_followed` for `follow` and `followed` */
export function isFlagOf(flag: string, forms: readonly string[]): boolean {
  const names = [flag, flag.replace(aroundFlags, '')].map(bareName)
  return forms.some((form) =>
    [form, `${form.replace(/e$/, '')}ing`, `${form}${form.at(-1)}ing`].some((each) => names.includes(each)),
  )
}

/** Whether a number counts those who set a flag: `bookmarksCount` for `bookmarked`, `followers` for `following` */
export function countsFlag(name: string, flag: string): boolean {
  const words = wordsOf(name)
  const noun = words
    .filter((word) => !isCounting(word))
    .map(singular)
    .join('')
  if (noun === '' || (words.every((word) => !isCounting(word)) && !isPlural(words.at(-1) ?? ''))) return false
  const verbs = [noun, noun.replace(/er$/, ''), noun.replace(/r$/, '')]
  return bareName(flag) !== noun && verbs.some((verb) => isFlagOf(flag, participles(verb)))
}

/** The verbs that a verb takes back: `unlock` takes back `lock`. */
export function takenBackBy(verb: string): string[] {
  const positive = verb.replace(opposites, '')
  const [, base = '', particle = ''] = withParticle.exec(verb) ?? []
  const back = particles[particle]
  return [...(takenBack.get(verb) ?? []), ...(positive === verb ? [] : [positive]), ...(back ? [base + back] : [])]
}

/** Whether a word after a verb belongs to it: `power_off` */
export const isParticle = (word: string): boolean => word in particles

const questions = new Set(['search', 'query', 'browse'])

/** Whether the name of a path asks for records: `search` */
export const isQuestion = (name: string): boolean => questions.has(name)

/** Whether the words of a name or a summary say that a record gets another name. */
export const saysRename = (words: ReadonlySet<string>): boolean => words.has('rename') || words.has('renames')
