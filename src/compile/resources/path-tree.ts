/** The paths of a document as a tree: each node is a fixed segment or a parameter. */
import type { PathSegment } from '../../contract/path-template.js'
import type { DescribedOperation } from '../describe-operations.js'

/** One step of a path. */
export interface PathStep {
  /** The text of a fixed segment, without the extension of a file. */
  text?: string
  /** The name of a parameter. */
  parameter?: string
  /** Whether the step is a verb after a colon: `/items/{id}:cancel` */
  isVerb: boolean
  /** The path up to here, as it is documented. */
  template: string
}

export interface PathNode {
  step: PathStep
  parent: PathNode | undefined
  children: PathNode[]
  /** The operations whose path ends here. */
  operations: DescribedOperation[]
}

/** `.json` after a parameter or a name says nothing about the resource. */
const extension = /^\.[a-z]{2,5}$/i
const ending = /\.(json|xml|html|csv|txt|ya?ml|aspx?|php|do|rss|atom|jsp)$/i

/** The steps of a path. @example '/items/{id}.json' has the steps `items` and `id` */
export function stepsOf({ template, path }: Pick<DescribedOperation, 'template' | 'path'>): PathStep[] {
  const steps: PathStep[] = []
  let end = ''
  for (const segment of template.segments) {
    end += `/${textOf(segment)}`
    const isLast = end.length >= template.path.length
    const documented = isLast ? path.replace(/[?#].*$/, '') : end
    steps.push(...stepsOfSegment(segment, documented))
  }
  // A slash at the end makes no other resource.
  return steps.filter(({ text, parameter }) => text !== '' || parameter !== undefined)
}

function textOf({ texts, names }: PathSegment): string {
  return texts.map((text, index) => (index === 0 ? text : `{${names[index - 1]}}${text}`)).join('')
}

function stepsOfSegment({ texts, names }: PathSegment, template: string): PathStep[] {
  const [name] = names
  const [first = '', last = ''] = texts
  if (name === undefined) {
    const [text = '', verb] = first.split(':')
    const plain = { text: text.replace(ending, ''), isVerb: false, template }
    return verb
      ? [{ ...plain, template: template.slice(0, template.lastIndexOf(':')) }, verbStep(verb, template)]
      : [plain]
  }
  if (names.length > 1) return names.map((each) => ({ parameter: each, isVerb: false, template }))
  const parameter = { parameter: name, isVerb: false, template }
  if (last.startsWith(':')) {
    const owner = { ...parameter, template: template.slice(0, template.lastIndexOf(':')) }
    return [owner, verbStep(last.slice(1), template)]
  }
  if (first === '' && (last === '' || extension.test(last))) return [parameter]
  // A text beside a parameter makes another resource: `thumbnail.{extension}`.
  return [{ text: first + last, isVerb: false, template }, parameter]
}

function verbStep(text: string, template: string): PathStep {
  return { text, isVerb: true, template }
}

/** @returns the root, and the node of each operation */
export function createPathTree(operations: readonly DescribedOperation[]): {
  root: PathNode
  nodes: Map<DescribedOperation, PathNode>
} {
  const rootStep = { text: '', isVerb: false, template: '' }
  const root: PathNode = { step: rootStep, parent: undefined, children: [], operations: [] }
  const nodes = new Map<DescribedOperation, PathNode>()
  const known = new Map<PathNode, Map<string, PathNode>>()
  for (const operation of operations) {
    let node = root
    for (const step of stepsOf(operation)) node = childOf(node, step)
    node.operations.push(operation)
    nodes.set(operation, node)
    // The documented path of an operation says best how the path of its node is written.
    if (node !== root && node.operations.length === 1) node.step = { ...node.step, template: templateOf(operation) }
  }
  return { root, nodes }

  function childOf(parent: PathNode, step: PathStep): PathNode {
    const children = known.get(parent) ?? new Map<string, PathNode>()
    known.set(parent, children)
    const id = step.parameter === undefined ? `${step.isVerb ? ':' : '/'}${step.text}` : '{}'
    const child = children.get(id) ?? { step, parent, children: [], operations: [] }
    if (!children.has(id)) parent.children.push(child)
    children.set(id, child)
    return child
  }
}

function templateOf({ path }: DescribedOperation): string {
  return path.replace(/[?#].*$/, '') || '/'
}

/** The nodes from the root to a node, without the root. */
export function lineOf(node: PathNode): PathNode[] {
  return node.parent ? [...lineOf(node.parent), node] : []
}

export function isParameter({ step }: PathNode): boolean {
  return step.parameter !== undefined
}

/** The child that is a parameter, if any. */
export function itemOf(node: PathNode): PathNode | undefined {
  return node.children.find(isParameter)
}

/** The operation of a method whose path ends at a node. */
export function operationAt(node: PathNode, method: string): DescribedOperation | undefined {
  return node.operations.find((operation) => operation.method === method)
}
