/** The steps of a documented path. */
import { type PathSegment, parsePathTemplate } from '../../contract/path-template.js'
import { withoutExtension } from '../../lexicon/files.js'
import { hasRole } from '../../lexicon/parameters.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'

/** One step of a path. */
export interface PathStep {
  /** The text of a literal segment, without a file extension. */
  text?: string
  /** The name of a parameter. */
  parameter?: string
  /** Whether the step is a verb after a colon: `/items/{id}:cancel` */
  isVerb: boolean
  /** The documented path up to this step. */
  template: string
  /** Whether the step occurs only in the name of an RPC operation, so that no path ends here. */
  isNoun?: boolean
  /** Whether a segment after it names the form of the answer: `/volumes/json` */
  hasForm?: true
  /** The number of words in the operationId that names it. */
  depth?: number
}

/** An extension such as `.json`, which does not identify the resource. */
const extension = /^\.[a-z]{2,5}$/i

/** Maximum number of steps. Real paths are shorter. */
const maxSteps = 60

/** The steps of a path. @example '/items/{id}.json' has the steps `items` and `id` */
export function stepsOf({ template: served, servedPath, path }: DescribedOperation): PathStep[] {
  // An operation that is served at another path still belongs to the resource of its documented path.
  const template = servedPath === undefined ? served : parsePathTemplate(path)
  const steps: PathStep[] = []
  let end = ''
  for (const segment of template.segments) {
    end += `/${segmentText(segment)}`
    const isLast = end.length >= template.path.length
    const documented = isLast ? path.replace(/[?#].*$/s, '') : end
    steps.push(...stepsOfSegment(segment, documented))
  }
  // A trailing slash does not make another resource.
  const kept = steps.filter(({ text, parameter }) => text !== '' || parameter !== undefined)
  return kept.length > maxSteps ? kept.slice(0, maxSteps) : kept
}

function segmentText({ texts, names }: PathSegment): string {
  return texts.map((text, index) => (index === 0 ? text : `{${names[index - 1]}}${text}`)).join('')
}

/** A segment without an extension parameter: `{id}` for `{id}.{format}`. */
function withoutForm({ texts, names }: PathSegment): PathSegment {
  const before = texts.at(-2) ?? ''
  if (!hasRole(names.at(-1) ?? '', 'form') || !before.endsWith('.') || texts.at(-1) !== '') return { texts, names }
  const rest = before.slice(0, -1)
  return names.length === 1 && rest === ''
    ? { texts, names }
    : { texts: [...texts.slice(0, -2), rest], names: names.slice(0, -1) }
}

function stepsOfSegment(segment: PathSegment, template: string): PathStep[] {
  const { texts, names } = withoutForm(segment)
  const [name] = names
  const [first = '', last = ''] = texts
  if (name === undefined) {
    const [text = '', verb] = first.split(':')
    const plain = { text: withoutExtension(text), isVerb: false, template }
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
  // A text next to a parameter makes another resource: `thumbnail.{extension}`.
  return [{ text: first + last, isVerb: false, template }, parameter]
}

function verbStep(text: string, template: string): PathStep {
  return { text, isVerb: true, template }
}
