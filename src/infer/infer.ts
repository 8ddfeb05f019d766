/** Writes what a document says and lets guess of the behaviour of its service, as lines: one tier of rules after another. */

import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { countTexts } from '../lexicon/words.js'
import { createFindNamed } from '../schemas/named-keys.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { findAnswerValues } from './answer-values.js'
import { findChoice, findRepeats, findResults } from './answers.js'
import { applyCorrections } from './apply-corrections.js'
import { findBulk } from './bulk.js'
import { findAsked, findChangesOf } from './changes.js'
import { findCollections } from './collections.js'
import { findCopies } from './copies.js'
import { findErrorBodies } from './errors/find-error-bodies.js'
import { fillBlanks } from './facts/blank-records.js'
import { type Candidate, toCandidate } from './facts/candidate.js'
import { type Decision, decideAll } from './facts/decide.js'
import { findFiles } from './files.js'
import { findLifecycle } from './lifecycle.js'
import { findLinks } from './links.js'
import { findFilterNames, findNames } from './names.js'
import { findLinkedReferences, findNamedOwners, findOwners, findRelations } from './owners.js'
import { findPartialUpdates } from './partial-updates.js'
import { lineOf } from './paths/path-tree.js'
import { findPreconditions } from './preconditions.js'
import { findQuery } from './queries/find-query.js'
import { findBeside } from './queries/query-facts.js'
import { findFilterValues } from './queries/query-filters.js'
import { extensionsOf } from './read-extensions.js'
import { findReferences } from './references.js'
import { findRefusals } from './refusals.js'
import { findStarted } from './started.js'
import { type Inferred, toModel } from './to-model.js'
import { findUsers } from './users.js'
import { findWrites } from './writes.js'

/** @throws DocumentProblem for an invalid line of a person */
export function* infer(
  document: OpenApiDocument,
  operations: readonly DescribedOperation[],
): Generator<undefined, Inferred> {
  const { decisions, resources } = yield* decideAll(document, operations)
  const counts = countTexts(operations.map(pathId))
  const decided = decisions.map((decision): Candidate => {
    const candidate = toCandidate(document, resources, decision)
    const isExample = candidate.kind !== 'undescribed' && isVariant(candidate, counts)
    return isExample ? { ...candidate, kind: 'example', decision: toVariant(decision) } : candidate
  })
  yield
  const candidates = applyCorrections(document, resources, fillBlanks(document, decided))
  for (const each of candidates) findRefusals(document, each)
  const collections = yield* findCollections(document, candidates)
  extensionsOf(document).refuseUnused()
  const paths = { document, resources, collections: new Map(collections.map((each) => [each.path, each])) }
  findLinkedReferences(paths)
  yield* findOwners(paths)
  for (const each of collections) findPartialUpdates(document, each)
  for (const each of collections) {
    findNames(document, each)
    findChangesOf(document, each)
    findWrites(document, each)
    yield
  }
  for (const each of candidates) {
    findStarted(document, paths.collections, each)
    findChoice(document, each)
    findRepeated(document, each)
    findQuery(document, each, paths.collections.get(each.path), resources)
    findFilterNames(each, paths.collections.get(each.path))
    findResults(document, each)
    findFiles(document, each, paths.collections.get(each.path))
    yield
  }
  for (const each of collections) findLifecycle(document, each)
  yield* findRelations(paths, candidates)
  const findNamed = createFindNamed(document, collections)
  for (const each of collections) {
    findReferences(paths, findNamed, each)
    findNamedOwners(paths, findNamed, each)
    findCopies(document, findNamed, each)
    yield
  }
  for (const each of collections) findPreconditions(paths, findNamed, each)
  yield* findLinks(paths, candidates)
  findUsers(document, collections, candidates)
  for (const each of candidates) {
    findBulk(document, paths.collections, each)
    findBeside(document, each)
    findAnswerValues(document, each, paths.collections.get(each.path))
    yield
  }
  for (const each of collections) {
    findFilterValues(document, each)
    // Last, because what an operation itself sets counts more.
    for (const member of each.members) findAsked(document, member, each)
  }
  return toModel(paths, candidates, findErrorBodies(document, candidates))
}

/** The decision about an operation with an unknown effect. */
function toVariant(decision: Decision): Decision {
  const reason = 'only a parameter tells it apart from another operation'
  return { ...decision, effect: 'example', state: 'none', resource: undefined, rule: 'variant', reason, sure: 'low' }
}

/** Whether an operation differs from another one only in a parameter, so that its effect is unknown. */
function isVariant({ operation, node }: Candidate, counts: ReadonlyMap<string, number>): boolean {
  const { template, selector } = operation
  // A query or header may name an RPC operation, whose effect is known.
  if (lineOf(node).some(({ step }) => step.isNoun)) return false
  return selector !== undefined || (template.query.length > 0 && (counts.get(pathId(operation)) ?? 0) > 1)
}

function pathId({ method, template }: DescribedOperation): string {
  return `${method} ${template.path}`
}

/** Says which list of its request an answer by example repeats. */
function findRepeated(document: OpenApiDocument, { operation, decision, lines }: Candidate): void {
  const { list } = decision.facts
  const found = list && !list.isMap ? findRepeats(document, operation, list) : undefined
  if (found) lines.add('repeats', '', found, guess('name', 'it has one item for each value of the request'))
}
