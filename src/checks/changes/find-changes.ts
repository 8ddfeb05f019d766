/** Compares two versions of a document: what changes for consumers, and whether it is about what they use. */
import { suggestName } from '../../contract/suggest-closest.js'
import { schemaOf } from '../../document/document.js'
import { groupBy } from '../../json/group-by.js'
import { describeOperations, jsonContent } from '../../schemas/operations/describe-operations.js'
import type { Lock } from '../consumer/lock.js'
import { createLostProperties } from '../consumer/lost-properties.js'
import { type Finding, type Severity, toFinding } from '../finding.js'
import type { Change, Impact, OperationPair, Version, VersionOperation } from './change.js'
import { changeFamilies } from './change-rules.js'
import { createViews } from './create-views.js'
import { createUses, splitRead, withoutNames } from './operation-use.js'
import { responseFor } from './pair-parts.js'
import { notCompared } from './rules/not-compared.js'
import { additionOf, removalOf } from './rules/operation-rules.js'
import { refusals, unjudged } from './rules/sent-value-rules.js'
import type { SchemaPart } from './schema-view.js'
import { createJudgeSent, isValidated } from './sent-samples.js'
import { createComparison } from './walk-schemas.js'

/** A change as a finding, with its place in one of the documents. */
export interface FoundChange {
  finding: Finding
  place: NonNullable<Change['place']>
}

export interface ChangeOptions {
  /** What the consumer uses. Without one, every change has the severity of its rule. */
  lock?: Lock | undefined
  /** Operations that end before this time are as good as gone, in milliseconds since 1970. @default none */
  sunsetBefore?: number | undefined
}

/**
 * All changes between two versions of a document, each once.
 * @example findChanges(await compileSpec({ spec: 'v1.yaml' }, {}), await compileSpec({ spec: 'v2.yaml' }, {}))
 */
export function findChanges(old: Version, next: Version, options: ChangeOptions = {}): FoundChange[] {
  const { lock, sunsetBefore } = options
  const uses = lock && createUses(lock)
  const findLost = createLostProperties(next.document, lock)
  const comparison = createComparison(old.document, next.document)
  const found = new Map<string, FoundChange>()
  const pairs = pairOperations(old, next)
  const added = new Map(pairs.flatMap(([one, other]) => (!one && other?.value.operationId ? [[other.id, other]] : [])))
  const moved = new Set(pairs.flatMap(([one, other]) => (one && !other ? [added.get(one.id)] : [])))
  for (const [one, other] of pairs) {
    if (!one && moved.has(other)) continue
    const { method, path, id, at, operation } = one ?? (other as VersionOperation)
    const use = one && uses?.(`${one.method} ${one.path}`)
    const lostProperties = () => findLost({ operation: other?.operation ?? operation })
    for (const change of changesOf(one, other, one && added.get(one.id), {
      use,
      sunsetBefore,
      comparison,
      lostProperties,
      isCalled: ({ method, path }) => uses?.(`${method} ${path}`).isCalled === true,
    })) {
      const impact = lock && (change.impact ?? 'unused')
      const general = change.severity ?? change.rule.severity
      // Nobody knows what is not compared, so that it fails who uses the operation.
      const isUnknown = change.rule === notCompared && impact === 'maybe'
      const severity = isUnknown ? general : severityOf(general, impact)
      const finding = toFinding({ ...change, operation: id, method, path, severity })
      if (impact) finding.impact = impact
      const place: FoundChange['place'] =
        change.place ?? (other ? { of: 'next', path: other.at } : { of: 'old', path: at })
      const known = found.get(finding.id)
      if (!known) found.set(finding.id, { finding, place })
      else if (rank(impact) > rank(known.finding.impact)) {
        Object.assign(known.finding, finding, { count: known.finding.count + 1 })
      } else known.finding.count++
    }
  }
  return [...found.values()]
}

function* changesOf(
  old: VersionOperation | undefined,
  next: VersionOperation | undefined,
  moved: VersionOperation | undefined,
  shared: Omit<OperationPair, 'old' | 'next'>,
): Generator<Change> {
  const pair = old && next && { old, next, ...shared }
  const judgeSent = pair && createJudgeSent(pair)
  if (pair) {
    for (const { find } of changeFamilies) {
      for (const change of find(pair)) {
        const { rule, at, kind = '' } = change
        const isJudged = rule === notCompared ? isValidated(kind) : refusals.has(rule) && !unjudged.has(kind)
        const impact = isJudged ? judgeSent?.(at, kind) : undefined
        yield impact === undefined ? change : { ...change, impact }
      }
    }
  }
  if (old && !next) yield removalOf(old, shared, moved)
  if (next && !old) yield additionOf(next)
}

const order: readonly Impact[] = ['unused', 'maybe', 'yours']

function rank(impact: Impact | undefined): number {
  return order.indexOf(impact ?? 'unused')
}

/** With a lock, what breaks a consumer is an error only if it is about what the consumer does. */
function severityOf(severity: Severity, impact: Impact | undefined): Severity {
  if (impact === undefined || severity === 'info' || impact === 'yours') return severity
  return impact === 'maybe' ? 'warning' : 'info'
}

/** Each operation of both versions, together with the same one of the other version. */
function pairOperations(
  old: Version,
  next: Version,
): (readonly [old: VersionOperation | undefined, next: VersionOperation | undefined])[] {
  const left = new Set(operationsOf(next))
  const byPath = groupBy([...left], (operation) => keyOf(operation, operation.template.path))
  const byUrl = groupBy([...left], (operation) => keyOf(operation, urlOf(operation)))
  const take = (operation: VersionOperation): VersionOperation | undefined => {
    const candidates = [
      byPath.get(keyOf(operation, operation.template.path)),
      byUrl.get(keyOf(operation, urlOf(operation))),
    ]
    const free = candidates.flatMap((list) => list ?? []).filter((each) => left.has(each))
    // Operations that share a method and a path differ in their ids.
    const found = free.find(({ id }) => id === operation.id) ?? free[0]
    if (found) left.delete(found)
    return found
  }
  const pairs = operationsOf(old).map((operation) => [operation, take(operation)] as const)
  return [...pairs, ...[...left].map((operation) => [undefined, operation] as const)]
}

export function operationsOf(version: Version): VersionOperation[] {
  const { contract, document } = version
  const described = new Map(describeOperations(document).map((each) => [each.id, each]))
  const viewOf = createViews(document)
  return contract.operations.flatMap((operation) => {
    const known = described.get(operation.id)
    return known ? [{ ...known, operation, version, viewOf }] : []
  })
}

/** Parameters in a path may have any name. */
function keyOf({ method, path: documented, template: { query } }: VersionOperation, path: string): string {
  const plain = withoutNames(path).replace(/(?<=.)\/$/, '')
  const [fragment = ''] = /#.*$/s.exec(documented) ?? []
  return [method, plain + fragment, ...query.map(({ name, value = '' }) => `${name}=${value}`)].join(' ')
}

/** The path with that of its first server. */
function urlOf({ template, operation, version: { contract } }: VersionOperation): string {
  const server = contract.servers.find(({ name }) => operation.servers.includes(name))
  return `${server?.basePath ?? ''}${template.path}`
}

/** @returns a sentence without a full stop for each part that has no effect */
export function findUnknownReads(operations: readonly VersionOperation[], { reads }: Lock): string[] {
  const byName = new Map(operations.map((each) => [withoutNames(`${each.method} ${each.path}`), each]))
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  return Object.entries(reads).flatMap(([at, paths]) => {
    const [name, status] = splitRead(at)
    const operation = byName.get(withoutNames(name))
    if (!operation) {
      const closest = suggestName(name, names)
      return [`"reads" has "${name}", which the document does not have${closest ? `; did you mean "${closest}"?` : ''}`]
    }
    const roots = rootsOf(operation, status)
    if (roots.length === 0) return [`"reads" has "${at}", an answer that the document does not have as JSON`]
    return paths
      .filter((path) => !roots.some((root) => hasPath(root, path)))
      .map((path) => `"reads" has "${path}" of "${at}", which the document does not have`)
  })
}

function rootsOf(operation: VersionOperation, status: string): SchemaPart[] {
  const response = status === '' ? undefined : responseFor(operation, status.toUpperCase())
  const all = response ? [response] : status === '' ? [...operation.responses.values()] : []
  return all.flatMap(({ value, path }) => {
    const json = jsonContent(value.content, path)
    return json ? [operation.viewOf(schemaOf(json))] : []
  })
}

/** Names may have dots, so each beginning of the rest is tried. */
function hasPath(part: SchemaPart, path: string): boolean {
  const { types, properties, others, items, isOpen, alternatives } = part.view()
  if (path === '') return true
  if (path.startsWith('[]')) return types.has('array') && (!items || hasPath(items, path.slice(2).replace(/^\./, '')))
  const known = [...properties, ...[...(alternatives ?? [])].flatMap(([, each]) => [...each.part.view().properties])]
  const isAny = properties.size === 0 && !others && isOpen && types.has('object')
  return (
    isAny ||
    (others !== undefined && hasPath(others, path.replace(/^[^.[]*\.?/, ''))) ||
    known.some(([name, inner]) => {
      const rest = path.startsWith(name) ? path.slice(name.length) : undefined
      return rest !== undefined && /^(?:$|\.|\[\])/.test(rest) && hasPath(inner, rest.replace(/^\./, ''))
    })
  )
}
