/** Workflows: the steps of an Arazzo document, which a check follows. */
import { SandboxError } from '../../../contract/sandbox-error.js'
import { parseSource } from '../../../document/parse-source.js'
import { isObject } from '../../../json/own-value.js'

/** An Arazzo document as plain data. Its parts are read where they are needed. */
export interface Workflows {
  workflows: readonly Part[]
  components: Part
  /** Values of inputs by name, in place of their defaults. */
  inputs: Readonly<Record<string, unknown>>
}

export type Part = Readonly<Record<string, unknown>>

/** A part of the workflows that cannot be followed. */
export class WorkflowError extends SandboxError {
  /** @param why without a full stop */
  constructor(why: string) {
    super('INVALID_DOCUMENT', `Failed to follow the workflows: ${why}`)
  }
}

/**
 * Reads an Arazzo document (1.0), in YAML or JSON.
 * @param inputs `name=value`; values are JSON, or texts
 * @throws SandboxError `INVALID_DOCUMENT` if it is none, `INVALID_OPTION` for an input without a name
 */
export function readWorkflows(text: string, file: string, inputs: readonly string[]): Workflows {
  const { value } = parseSource(text, file)
  const refuse = (why: string) => new SandboxError('INVALID_DOCUMENT', `Failed to read the workflows "${file}": ${why}`)
  if (!isObject(value) || typeof value['arazzo'] !== 'string')
    throw refuse('it has no member "arazzo", which every Arazzo document has')
  if (!/^1\.0\.\d/.test(value['arazzo'])) throw refuse(`its version is ${value['arazzo']}, and this program reads 1.0`)
  const workflows = listOf(value['workflows']).filter(isObject)
  if (workflows.length === 0) throw refuse('it has no workflows')
  for (const [index, workflow] of workflows.entries()) {
    const at = `workflow ${typeof workflow['workflowId'] === 'string' ? workflow['workflowId'] : index + 1}`
    if (typeof workflow['workflowId'] !== 'string') throw refuse(`${at} has no workflowId`)
    const steps = listOf(workflow['steps'])
    const wrong = steps.findIndex((step) => !isObject(step) || typeof step['stepId'] !== 'string')
    if (steps.length === 0 || wrong >= 0)
      throw refuse(steps.length === 0 ? `${at} has no steps` : `step ${wrong + 1} of ${at} has no stepId`)
  }
  const { components } = value
  return {
    workflows,
    components: isObject(components) ? components : {},
    inputs: Object.fromEntries(inputs.map(readInput)),
  }
}

function readInput(written: string): [string, unknown] {
  const [name = '', ...rest] = written.split('=')
  if (name === '' || rest.length === 0)
    throw new SandboxError('INVALID_OPTION', `--input takes name=value (got "${written}")`)
  const text = rest.join('=')
  try {
    return [name, JSON.parse(text)]
  } catch {
    return [name, text]
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
