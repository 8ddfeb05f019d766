/** What was inferred, without what only rules need: trees of paths, facts and decisions. */
import type { ServiceLines } from '../behaviour/members.js'
import type { Decided, KnownRecords, OperationModel, Step } from '../behaviour/model.js'
import type { Located, Schema } from '../document/document.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import type { Decision } from './facts/decide.js'
import { homeLine, ownerAt, type Paths } from './owners.js'
import { hasSeveralKeys, lineOf, type PathNode } from './paths/path-tree.js'

export type InferredOperation = OperationModel<DescribedOperation, Located<Schema>>
export type InferredCollection = KnownRecords<InferredOperation, Located<Schema>>

/** What is known of the operations and the collections of a document. */
export interface Inferred {
  service: ServiceLines
  /** In the order of the operations. */
  operations: InferredOperation[]
  collections: InferredCollection[]
}

export function toModel(paths: Paths, candidates: readonly Candidate[], service: ServiceLines): Inferred {
  const ids = new Map<PathNode, number>()
  const toStep = (node: PathNode, parameter = node.step.parameter): Step => {
    if (!ids.has(node)) ids.set(node, ids.size)
    const owner = ownerAt(paths.resources, paths.collections, node)?.path
    return { node: ids.get(node) ?? 0, template: node.step.template, parameter, ...(owner !== undefined && { owner }) }
  }
  const known = new Map(candidates.map((each) => [each, toOperation(paths, each, toStep)]))
  const collections = [...paths.collections.values()].map(
    ({ path, resource, record, members, model, makings, lines }): InferredCollection => ({
      ...{ path, record, model, makings, lines },
      home: resource && homeLine(resource).map((node) => toStep(node)),
      isSingleton: resource?.kind === 'singleton',
      members: members.map((each) => known.get(each) ?? toOperation(paths, each, toStep)),
    }),
  )
  return { service, operations: [...known.values()], collections }
}

function toOperation(
  paths: Paths,
  candidate: Candidate,
  toStep: (node: PathNode, parameter: string | undefined) => Step,
): InferredOperation {
  const { operation, kind, path, node, resource, decision, lines } = candidate
  const { parameter, keyIn, record, pointer, isMap, keys, isChosen, isBelow, requestAt } = candidate
  const { at, facts } = decision
  return {
    ...{ operation, kind, path, parameter, keyIn, record, pointer, isMap, keys, isChosen, requestAt, lines },
    ...(isBelow && { isBelow }),
    ...(candidate.isBlank && { isBlank: true as const }),
    steps: lineOf(node).map((each, index) => toStep(each, decision.steps[index]?.parameter)),
    isSingleton: resource?.kind === 'singleton',
    isKeyed: resource?.isKeyed === true,
    isFileOfRecord: isFileOfRecord(ownerAt(paths.resources, paths.collections, node), candidate),
    ...(at && { at }),
    isAdding: decision.adds !== undefined,
    wrapper: candidate.wrapper,
    list: facts.list,
    answered: decision.recordSchema,
    decided: toDecided(decision),
  }
}

function toDecided({
  effect,
  state,
  rule,
  right,
  reason,
  sure,
  resource,
  list,
  record,
  recordSchema,
}: Decision): Decided {
  const shown = effect === 'list' ? list : recordSchema && record?.pointer
  return { ...{ effect, state, rule, right, reason, sure, shown }, collection: resource?.home, key: resource?.key }
}

/** Whether the path of a file contains the key of a record that must exist: `GET /goals/{goalId}.pdf` */
function isFileOfRecord(owner: KnownCollection | undefined, { node, decision }: Candidate): boolean {
  const { method, answersFile } = decision.facts
  // Something that PUT stores as a file is not a record.
  const isKept = (each: DescribedOperation) =>
    (each.method === 'PUT' || each.method === 'POST') && !owner?.members.some(({ operation }) => operation === each)
  return method === 'GET' && answersFile && !hasSeveralKeys(node) && !node.operations.some(isKept)
}
