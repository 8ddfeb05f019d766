/**
 * Converts paths so that each names a resource. Some services name an RPC operation instead (`?Action=CreateUser`,
 * `/getUser`, `/users/get/{id}`), and some put the whole path of a resource into one parameter (`/v1/{name}`).
 */

import { endsLikeAll, isNoNoun, isPreposition, takesNoKey, withoutInfo } from '../../lexicon/operation-names.js'
import { hasRole } from '../../lexicon/parameters.js'
import { kindOfVerb, type VerbKind, verbOfSegment } from '../../lexicon/verbs.js'
import { bareName, isPlural, singular, wordsOf } from '../../lexicon/words.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { type PathStep, stepsOf } from './path-steps.js'

/** A name such as `ListUsersInGroup`. */
interface RpcName {
  kind: VerbKind
  verb: string
  /** The words of the noun in the singular. */
  noun: string[]
  isPlural: boolean
  /** The words after the noun: `in group` */
  rest: string[]
}

/** Kinds of verbs that prove that a noun is a resource. */
const showing = new Set<VerbKind>(['list', 'read', 'create'])

function toRpcName(name: string): RpcName | undefined {
  const words = wordsOf(name)
  const [verb = '', ...others] = words
  const kind = kindOfVerb(verb)
  if (kind === undefined) return undefined
  const found = others.findIndex(isPreposition)
  const end = found === -1 ? others.length : found
  const noun = others.slice(0, end)
  if (noun[0] === 'all' && noun.length > 1 && kind === 'read') {
    return { kind: 'list', verb: 'list', noun: noun.slice(1).map(singular), isPlural: true, rest: others.slice(end) }
  }
  // `getUserList` lists users.
  const saysList = noun.length > 1 && kind === 'read' && endsLikeAll(noun.at(-1) ?? '')
  if (saysList) noun.pop()
  return {
    kind: saysList ? 'list' : kind,
    verb: saysList ? 'list' : verb,
    noun: noun.map(singular),
    isPlural: saysList || isPlural(noun.at(-1) ?? ''),
    rest: others.slice(end),
  }
}

/** The RPC name of an operation, and the path above it. */
interface Named {
  rpc: RpcName
  base: PathStep[]
  template: string
}

/** The steps of the paths of operations, converted so that each path names a resource. */
export function logicalSteps(operations: readonly DescribedOperation[]): Map<DescribedOperation, PathStep[]> {
  const steps = new Map<DescribedOperation, PathStep[]>()
  const named = new Map<DescribedOperation, Named>()
  const homes = documentedHomes(operations)
  const documented = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  for (const operation of operations) {
    const written = withoutForm(stepsOf(operation), operation, documented)
    const plain = fromResourceName(operation, written, homes) ?? written
    const isChanged = ['PUT', 'PATCH', 'DELETE'].some((method) => documented.has(`${method} ${operation.path}`))
    const found = namedInAddress(operation, plain) ?? namedInSegment(operation, plain, isChanged)
    if (found) named.set(operation, found)
    steps.set(operation, (isKept(operation, documented) ? undefined : verbLast(plain, operation)) ?? plain)
  }
  unifyVersions(steps)
  const known = new Set<string>()
  for (const each of named.values()) if (showing.has(each.rpc.kind)) known.add(nounId(each, each.rpc.noun))
  for (const [operation, each] of named) {
    const logical = withNoun(each, known, operation)
    if (logical) steps.set(operation, logical)
  }
  return steps
}

const version = /^(v\d+(\.\d+)*|\d{4}-\d\d-\d\d)$/i

/**
 * Gives the paths below one name the same version, if no operation exists in two of them: `POST /v2/users/{id}/keys` and
 * `GET /v1/users/{id}` are about the same users.
 */
function unifyVersions(all: Map<DescribedOperation, PathStep[]>): void {
  const groups = new Map<string, { operation: DescribedOperation; steps: PathStep[]; at: number }[]>()
  for (const [operation, steps] of all) {
    const at = steps.slice(0, 3).findIndex(({ text }) => version.test(text ?? ''))
    const name = at < 0 ? undefined : steps[at + 1]?.text
    if (name === undefined) continue
    const id = [...steps.slice(0, at).map(({ text }) => text), name.toLowerCase()].join('/')
    groups.set(id, [...(groups.get(id) ?? []), { operation, steps, at }])
  }
  for (const group of groups.values()) {
    const versionOf = ({ steps, at }: (typeof group)[number]) => steps[at]?.text
    const [first] = group
    if (!first || group.every((each) => versionOf(each) === versionOf(first))) continue
    const versions = new Map<string, string | undefined>()
    const isTwice = group.some((each) => {
      const rest = each.steps.slice(each.at + 1).map(({ text }) => text?.toLowerCase() ?? '{}')
      const id = [each.operation.method, ...rest].join('/')
      const isOther = versions.has(id) && versions.get(id) !== versionOf(each)
      versions.set(id, versionOf(each))
      return isOther
    })
    if (isTwice) continue
    for (const { operation, steps, at } of group)
      all.set(
        operation,
        steps.map((step, index) => (index === at ? { ...step, text: versionOf(first) ?? '' } : step)),
      )
  }
}

/** Last segments that name only the form of the answer, as the extension of a file does. */
const formNames = /^(json|xml)$/i

/** Without a last segment that names a form, unless the path before it is documented, too: of `/volumes/json` it is `/volumes`. */
function withoutForm(
  steps: PathStep[],
  { method, path }: DescribedOperation,
  documented: ReadonlySet<string>,
): PathStep[] {
  const [before, last] = steps.slice(-2)
  if (!before || !formNames.test(last?.text ?? '') || documented.has(`${method} ${before.template}`)) return steps
  return path.endsWith(`/${last?.text}`) ? [...steps.slice(0, -2), { ...before, hasForm: true }] : steps
}

function nounId({ base }: Named, noun: string[]): string {
  return `${base.at(-1)?.template ?? ''} ${noun.join('')}`
}

/** The RPC operation that a query or a fragment names: `/?Action=ListUsers`, `/#Target=Service.ListUsers` */
function namedInAddress({ path }: DescribedOperation, base: PathStep[]): Named | undefined {
  const [, parameter = '', named, verb] = /^\/[\w/.-]*[?](\w+)=(?:[\w.]+[.])?(\w+)[.](\w+)$/.exec(path) ?? []
  if (named && verb && hasRole(parameter, 'operation')) {
    // `?method=photos.getInfo`
    const found = toRpcName(withoutInfo(verb))
    const owner = wordsOf(named).map(singular)
    const noun = found?.noun.join('') === 'list' ? [] : (found?.noun ?? [])
    const kind = found?.noun.join('') === 'list' ? { kind: 'list' as const, verb: 'list' } : {}
    return found && { rpc: { ...found, ...kind, noun: [...owner, ...noun] }, base, template: path }
  }
  const value = /[?#][\w-]+=(?:[\w.-]*[.])?([A-Za-z]\w+)$/.exec(path)?.[1]
  const rpc = value === undefined ? undefined : toRpcName(value)
  return rpc && rpc.noun.length > 0 && /^\/[?#]/.test(path) ? { rpc, base, template: path } : undefined
}

/**
 * The RPC operation that the last segment names: `/getUser`, `/users.list`
 * @param isChanged whether what the segment names is changed there, so that no verb reads it: `PATCH /books/{id}/read-progress`
 */
function namedInSegment({ path }: DescribedOperation, steps: PathStep[], isChanged: boolean): Named | undefined {
  const last = steps.at(-1)
  const base = steps.slice(0, -1)
  if (last?.text === undefined) return undefined
  const isBelowRecord = base.at(-1)?.parameter !== undefined
  const dotted = last.isVerb ? undefined : /^([\w.-]+)\.(\w+)$/.exec(last.text)
  if (dotted?.[1] && dotted[2]) {
    const found = toRpcName(dotted[2] === 'info' ? 'get' : dotted[2])
    const prefix = wordsOf(dotted[1]).map(singular)
    return found && { rpc: { ...found, noun: [...prefix, ...found.noun] }, base, template: path }
  }
  const verb = verbOfSegment(last.text)
  const rpc = verb?.isCertain || last.isVerb ? toRpcName(last.text) : undefined
  if (!rpc || rpc.noun.length === 0) return undefined
  const owner = bareName(
    wordsOf(base.findLast(({ text }) => text !== undefined)?.text ?? '')
      .map(singular)
      .join(''),
  )
  if (owner.endsWith(rpc.noun.join('')) || isNoNoun(rpc.noun[0] ?? '')) return undefined
  if (last.isVerb && !isBelowRecord && rpc.kind !== 'list' && rpc.kind !== 'read') return undefined
  const isQuestion = rpc.kind === 'read' || (rpc.kind === 'list' && rpc.verb === 'list')
  if (isBelowRecord && (isQuestion ? isChanged : rpc.verb !== 'set')) return undefined
  return { rpc, base, template: path }
}

/** The noun of an RPC operation as a step of the path, and its verb as the last one. */
function withNoun(each: Named, known: ReadonlySet<string>, { path }: DescribedOperation): PathStep[] | undefined {
  const { rpc, base, template } = each
  const { kind, verb, rest } = rpc
  let { noun } = rpc
  const isKnown = known.has(nounId(each, noun))
  if (!showing.has(kind) && !isKnown) {
    const parts = noun.map((_, index) => index).slice(1)
    const inner =
      parts
        .toReversed()
        .map((end) => noun.slice(0, end))
        .find((part) => known.has(nounId(each, part))) ??
      parts.map((start) => noun.slice(start)).find((part) => known.has(nounId(each, part)))
    const isInAddress = /[?#]/.test(path)
    if (inner) noun = inner
    else if (!isInAddress || kind === 'action' || kind === 'compute') return undefined
  }
  // `deleteUserTag` is not `deleteUser`.
  const part = rpc.noun.length > noun.length
  const text = [verb, ...(rpc.isPlural ? ['all'] : []), ...(part ? rpc.noun : []), ...rest].join('-')
  const nounStep = { text: noun.join('-'), isVerb: false, template: '', isNoun: true }
  return [...base, nounStep, { text, isVerb: true, template }]
}

/** Whether a path lists and adds the records below it, so that its name is no verb: `/send-as/{email}` */
function isKept({ path }: DescribedOperation, documented: ReadonlySet<string>): boolean {
  const above = path.replace(/\/\{[^{}]*\}$/, '')
  return ['GET', 'POST'].every((method) => documented.has(`${method} ${above}`)) && documented.has(`GET ${path}`)
}

/** Moves a verb to the end: `/users/get/{id}` is `/users/{id}` with a verb. */
function verbLast(steps: PathStep[], { path }: DescribedOperation): PathStep[] | undefined {
  const at = steps.findLastIndex(({ text }) => text !== undefined)
  const verb = steps[at]
  const owner = steps[at - 1]
  if (!verb?.text || verb.isVerb || owner?.text === undefined || steps.length !== at + 2) return undefined
  const said = verbOfSegment(verb.text)
  const words = wordsOf(verb.text)
  if (!said?.isCertain || said.kind === 'compute' || (said.kind === 'list' && words[0] !== 'list')) return undefined
  const rpc = toRpcName(verb.text)
  const isOwn = rpc?.noun.length === 0 || bareName(owner.text).startsWith(rpc?.noun.join('') ?? ' ')
  const parameter = steps[at + 1]
  if (!isOwn || !parameter || takesNoKey(owner.text)) return undefined
  return [
    ...steps.slice(0, at),
    { ...parameter, template: `${owner.template}/{${parameter.parameter}}` },
    { text: verb.text, isVerb: true, template: path },
  ]
}

function partsOf({ value }: DescribedOperation): string[] {
  return typeof value.operationId === 'string' ? value.operationId.split('.') : []
}

/** The steps of paths without parameters that end with the noun of their operationId, by the words before its verb. */
function documentedHomes(operations: readonly DescribedOperation[]): Map<string, PathStep[]> {
  const homes = new Map<string, PathStep[]>()
  for (const operation of operations) {
    const parts = partsOf(operation)
    const steps = stepsOf(operation)
    const isPlain = steps.every(({ text, isVerb }) => text !== undefined && !isVerb)
    if (parts.length < 3 || !isPlain || bareName(steps.at(-1)?.text ?? '') !== bareName(parts.at(-2) ?? '')) continue
    homes.set(parts.slice(0, -1).join('.'), steps)
  }
  return homes
}

/**
 * If a parameter at the start of a path holds the path of a resource, only the operationId names the resource.
 * @example `GET /v1/{name}` with the operationId `service.projects.topics.get` is `GET /topics/{name}`
 */
function fromResourceName(
  operation: DescribedOperation,
  steps: PathStep[],
  homes: ReadonlyMap<string, PathStep[]>,
): PathStep[] | undefined {
  const parts = partsOf(operation)
  const at = steps.findIndex(({ text }) => text === undefined)
  const parameter = steps[at]
  const noun = parts.at(-2)
  const isVersioned = /^v\d/.test(steps[at - 1]?.text ?? '')
  if (parts.length < 3 || noun === undefined || parameter?.parameter === undefined || !isVersioned) return undefined
  const after = steps.slice(at + 1)
  const first = after[0]
  const owner = { text: noun, isVerb: false, template: '', isNoun: true, depth: parts.length }
  const home = homes.get(parts.slice(0, -1).join('.'))
  if (home) return [...home, parameter, ...after]
  if (first?.text !== undefined && !first.isVerb && bareName(first.text) === bareName(noun))
    return [{ ...owner, template: first.template }, ...after.slice(1)]
  const chain = after.findIndex(
    ({ text, isVerb }) => text !== undefined && !isVerb && bareName(text) === bareName(noun),
  )
  if (chain > 0) return undefined
  return [owner, parameter, ...after]
}
