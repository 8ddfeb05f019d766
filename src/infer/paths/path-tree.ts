/** The paths of a document as a tree: each node is a literal segment or a parameter. */

import { oncePer } from '../../document/once.js'
import { getOrInsert } from '../../json/own-value.js'
import { isKeyList } from '../../lexicon/keys.js'
import { saysMany, verbOfSegment } from '../../lexicon/verbs.js'
import { sameName, wordsOf } from '../../lexicon/words.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { logicalSteps } from './logical-path.js'
import type { PathStep } from './path-steps.js'

export interface PathNode {
  step: PathStep
  parent: PathNode | undefined
  children: PathNode[]
  /** The operations whose path ends here. */
  operations: DescribedOperation[]
}

/** @returns the root, and the node and the steps of each operation */
export function createPathTree(operations: readonly DescribedOperation[]): {
  root: PathNode
  nodes: Map<DescribedOperation, PathNode>
  steps: Map<DescribedOperation, PathStep[]>
} {
  const rootStep = { text: '', isVerb: false, template: '' }
  const root: PathNode = { step: rootStep, parent: undefined, children: [], operations: [] }
  const nodes = new Map<DescribedOperation, PathNode>()
  const nounNodes: PathNode[] = []
  const childrenOf = oncePer((_: PathNode) => new Map<string, PathNode>())
  const byName = new Map<PathNode, Map<string, PathNode>>()
  const steps = logicalSteps(operations)
  const isNamed = (operation: DescribedOperation) => steps.get(operation)?.some(({ isNoun }) => isNoun) === true
  // Documented paths first, so that nouns of RPC operations find them.
  for (const operation of [...operations].sort((a, b) => Number(isNamed(a)) - Number(isNamed(b)))) {
    let node = root
    for (const step of steps.get(operation) ?? []) node = childOf(node, step)
    node.operations.push(operation)
    nodes.set(operation, node)
    // Prefer the documented path of an operation for the template of its node and the name of its parameter.
    if (node !== root && node.operations.length === 1 && !node.step.isNoun) {
      const { parameter, hasForm, template: own } = steps.get(operation)?.at(-1) ?? node.step
      const template = hasForm ? own : node.step.isVerb ? operation.path : templateOf(operation)
      node.step = { ...node.step, ...(parameter !== undefined && { parameter }), template }
    }
  }
  for (const node of nounNodes) node.step = { ...node.step, template: templateOfNoun(node) }
  return { root, nodes, steps }

  function childOf(parent: PathNode, step: PathStep): PathNode {
    const children = childrenOf(parent)
    const id = stepId(step)
    const same = step.isNoun ? namedBelow(parent).get(sameName(step.text ?? '')) : undefined
    const found = same ?? children.get(id)
    const child = found ?? { step, parent, children: [], operations: [] }
    if (!found) {
      parent.children.push(child)
      const names = byName.get(parent)
      if (names && step.text && !names.has(sameName(step.text))) names.set(sameName(step.text), child)
    }
    if (step.isNoun && !same) nounNodes.push(child)
    // The shortest name is that of the collection itself.
    if (child.step.isNoun && (step.depth ?? 0) < (child.step.depth ?? 0)) child.step = step
    children.set(id, child)
    return child
  }

  /** The children by their normalized names. */
  function namedBelow(parent: PathNode): Map<string, PathNode> {
    return getOrInsert(byName, parent, () => {
      const named = parent.children.flatMap((child): [string, PathNode][] =>
        child.step.text ? [[sameName(child.step.text), child]] : [],
      )
      // The first child with a name counts.
      return new Map(named.toReversed())
    })
  }
}

/** Paths that differ in the case of letters only are about the same. */
function stepId({ text = '', parameter, isVerb }: PathStep): string {
  return parameter === undefined ? `${isVerb ? ':' : '/'}${text.toLowerCase()}` : '{}'
}

/** Plural names come first, names for only some of the records last. */
function rankOf({ step: { text = '' } }: PathNode): number {
  const words = wordsOf(text)
  return words.length - (words.includes('all') ? 2 : 0)
}

/** The path of a noun that occurs only in RPC operations: that of the operation that lists, reads or creates. */
function templateOfNoun({ step, operations, children }: PathNode): string {
  if (step.template !== '') return step.template
  const said = (kind: string) =>
    children
      .filter((child) => child.operations.length > 0 && verbOfSegment(child.step.text ?? '')?.kind === kind)
      .toSorted((a, b) => rankOf(a) - rankOf(b))
  const [first] = [...said('list'), ...said('read'), ...said('create'), ...children]
  if (operations[0]) return templateOf(operations[0])
  return first?.step.template ?? ''
}

function templateOf({ path }: DescribedOperation): string {
  return path.replace(/[?#].*$/s, '') || '/'
}

/** The nodes from the root to a node, without the root. */
export function lineOf(node: PathNode): PathNode[] {
  return node.parent ? [...lineOf(node.parent), node] : []
}

/** The node that a path is behind: `/cards` for `/cards/create` and `/cards/batch/create` */
export function behind({ parent }: PathNode): PathNode | undefined {
  return parent && isBatch(parent) ? parent.parent : parent
}

/** Whether a segment only says that what follows is about many records. */
export function isBatch({ step: { text } }: PathNode): boolean {
  return saysMany(text ?? '')
}

export function isParameter({ step }: PathNode): boolean {
  return step.parameter !== undefined
}

/** Whether a parameter holds the keys of several records: `/orders/{orderIds}` */
export function hasSeveralKeys({ step }: PathNode): boolean {
  return isKeyList(wordsOf(step.parameter ?? '').at(-1) ?? '')
}

/** The child that is a parameter, if any. */
export function itemOf(node: PathNode): PathNode | undefined {
  return node.children.find(isParameter)
}

/** The operation of a method whose path ends at a node. */
export function operationAt(node: PathNode, method: string): DescribedOperation | undefined {
  return node.operations.find((operation) => operation.method === method)
}
