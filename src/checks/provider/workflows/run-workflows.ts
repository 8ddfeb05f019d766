/** Follows the steps of an Arazzo document (1.0.1), and says which one does not succeed as it says. */
import { setTimeout as wait } from 'node:timers/promises'
import type { ParameterPlace } from '../../../contract/request-model.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import type { CheckPlan } from '../plan-check.js'
import type { SentResponse } from '../probe-runner.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Subject } from '../requests/checked-operation.js'
import { createDraft, type Draft, isSafe, withBody, withParameter } from '../requests/request-draft.js'
import { withValueAt } from '../values/other-values.js'
import { type Criterion, evaluate, fill, isMet, type Scope } from './expressions.js'
import { listOf, type Part, WorkflowError, type Workflows } from './workflows.js'

/** Maximum steps of one workflow, and seconds before a retry. */
const maxSteps = 1000
const maxWaitSeconds = 10

/** @throws WorkflowError for a part that cannot be read */
export async function runWorkflows(plan: CheckPlan, document: Workflows): Promise<void> {
  /** Outputs of the workflows that have run; undefined for those that failed. */
  const done = new Map<string, Part | undefined>()
  const open = new Set<string>()
  const others: Others = {
    get outputs() {
      return Object.fromEntries([...done].map(([id, outputs]) => [id, { outputs: outputs ?? {} }]))
    },
    runOnce,
    runAgain: (id, inputs) => runWorkflow(plan, document, workflowOf(id), others, inputs),
  }
  for (const { workflowId } of document.workflows) await runOnce(String(workflowId))

  function workflowOf(id: string): Part {
    const workflow = document.workflows.find((each) => each['workflowId'] === id)
    if (!workflow) throw new WorkflowError(`there is no workflow "${id}"`)
    return workflow
  }

  async function runOnce(id: string): Promise<boolean> {
    const workflow = workflowOf(id)
    if (done.has(id)) return done.get(id) !== undefined
    if (open.has(id)) throw new WorkflowError(`the workflow "${id}" depends on itself`)
    open.add(id)
    let isReady = true
    for (const other of listOf(workflow['dependsOn'])) isReady = (await runOnce(nameOf(other))) && isReady
    done.set(id, isReady ? await runWorkflow(plan, document, workflow, others, {}) : undefined)
    return done.get(id) !== undefined
  }
}

/** `$sourceDescriptions.shop.pay` is the workflow or operation `pay`. */
function nameOf(written: unknown): string {
  return String(written).replace(/^\$sourceDescriptions\.[^.]+\./, '')
}

interface Others {
  /** Outputs of the workflows that have run. */
  readonly outputs: Readonly<Record<string, unknown>>
  /** @returns whether it succeeded, now or before */
  runOnce(id: string): Promise<boolean>
  /** @returns its outputs; undefined if it failed */
  runAgain(id: string, inputs: Part): Promise<Part | undefined>
}

/** @returns its outputs; undefined if a step failed */
async function runWorkflow(
  plan: CheckPlan,
  { components, inputs: given }: Workflows,
  workflow: Part,
  others: Others,
  own: Part,
): Promise<Part | undefined> {
  const id = String(workflow['workflowId'])
  const names: Record<string, unknown> = {
    inputs: { ...inputsOf(schemaIn(components, workflow['inputs']), given), ...own },
    steps: {},
    workflows: others.outputs,
    components,
  }
  const steps = listOf(workflow['steps']).filter(isObject)
  const resolve = (each: unknown): Part => {
    const reference = isObject(each) ? each['reference'] : undefined
    const found = typeof reference === 'string' ? evaluate(reference, { names, caller: plan.caller }) : each
    return isObject(found) ? { ...found, ...(isObject(each) ? each : {}) } : {}
  }
  const retries = new Map<Part, number>()
  let last: SentResponse | undefined
  for (let index = 0, count = 0; index < steps.length; count++) {
    const step = steps[index] as Part
    if (count > maxSteps) throw new WorkflowError(`the workflow "${id}" has no end`)
    const result = await runAny(step)
    const { action } = result
    const kind = action?.['type']
    if (kind === 'retry') {
      retries.set(step, (retries.get(step) ?? 0) + 1)
      await wait(Math.min(Number(action?.['retryAfter'] ?? 0), maxWaitSeconds) * 1000)
      const first = steps.find(({ stepId }) => stepId === action?.['stepId'])
      if (first && first !== step) await runAny(first)
      if (typeof action?.['workflowId'] === 'string') await others.runAgain(nameOf(action['workflowId']), {})
      continue
    }
    if (!result.isMet && kind === undefined) return undefined
    if (kind === 'end') break
    if (kind === 'goto' && typeof action?.['workflowId'] === 'string')
      return others.runAgain(nameOf(action['workflowId']), {})
    const target = kind === 'goto' ? steps.findIndex((each) => each['stepId'] === action?.['stepId']) : index + 1
    if (target < 0) throw new WorkflowError(`the workflow "${id}" has no step "${String(action?.['stepId'])}"`)
    index = target
  }
  const outputs = isObject(workflow['outputs']) ? workflow['outputs'] : {}
  return fill(outputs, { answer: last, names, caller: plan.caller }) as Part

  async function runAny(step: Part): Promise<StepResult> {
    const inner = step['workflowId']
    if (typeof inner !== 'string') return runStep(step)
    const parameters = listOf(step['parameters']).map(resolve)
    const scope: Scope = { answer: last, names, caller: plan.caller }
    const inputs = Object.fromEntries(parameters.map(({ name, value }) => [String(name), fill(value, scope)]))
    const found = await others.runAgain(nameOf(inner), inputs)
    names['outputs'] = found
    setOutputs(step, scope)
    return { action: actionFor(step, found !== undefined, scope), isMet: found !== undefined }
  }

  async function runStep(step: Part): Promise<StepResult> {
    const at = `${id}/${String(step['stepId'])}`
    const parameters = [...listOf(step['parameters']), ...listOf(workflow['parameters'])].map(resolve)
    const draft = draftOf(plan, step, parameters, { answer: last, names, caller: plan.caller })
    const done = { action: undefined as Part | undefined, isMet: false }
    await plan.runner.run(async (session) => {
      const answer = await session.send(draft, 'any', { at, isExact: true })
      const scope: Scope = { answer, names, caller: plan.caller }
      const criteria = listOf(step['successCriteria']).filter(isObject)
      const failed = criteria.find((each) => !isMet(each, scope))
      const isRefused = criteria.length === 0 && (answer?.status ?? 500) >= 400
      last = answer ?? last
      done.isMet = answer !== undefined && !failed && !isRefused
      setOutputs(step, scope)
      done.action = actionFor(step, done.isMet, scope)
      if (done.isMet || done.action) return
      const wanted = failed ? String(failed['condition']) : 'a success'
      const message = `answered ${answer?.status ?? 'nothing usable'} to the step ${at}, which wants ${wanted}`
      session.report(draft, { rule: providerRuleSet.workflowFailed, at, message })
    })
    return done
  }

  function setOutputs(step: Part, scope: Scope): void {
    const written = Object.entries(isObject(step['outputs']) ? step['outputs'] : {})
    const outputs = Object.fromEntries(written.map(([name, expression]) => [name, fill(expression, scope)]))
    names['steps'] = { ...(names['steps'] as object), [String(step['stepId'])]: { outputs } }
  }

  /** The first action whose criteria are met. A retry is none after its last one. */
  function actionFor(step: Part, isMetAll: boolean, scope: Scope): Part | undefined {
    const own = listOf(step[isMetAll ? 'onSuccess' : 'onFailure'])
    const general = listOf(workflow[isMetAll ? 'successActions' : 'failureActions'])
    return [...own, ...general].map(resolve).find(({ type, criteria, retryLimit = 1 }) => {
      const isLeft = type !== 'retry' || (!isMetAll && (retries.get(step) ?? 0) < Number(retryLimit))
      return isLeft && listOf(criteria).every((each) => isMet(each as Criterion, scope))
    })
  }
}

interface StepResult {
  /** What follows. Absent: the next step, or the end after a failure. */
  action: Part | undefined
  isMet: boolean
}

/** The schema of inputs, also behind `$ref: '#/components/inputs/…'`. */
function schemaIn(components: Part, written: unknown): Part {
  const schema = isObject(written) ? written : {}
  const reference = schema['$ref']
  const found = typeof reference === 'string' ? valueAt({ components }, fromJsonPointer(reference)) : schema
  return isObject(found) ? found : {}
}

/** The values of the inputs: those that were given, else the defaults and examples of their schemas. */
function inputsOf(inputs: Part, given: Part): Part {
  const properties = isObject(inputs['properties']) ? inputs['properties'] : {}
  const standard = Object.entries(properties).map(([name, schema]) => {
    const { default: value, example, examples, enum: allowed } = isObject(schema) ? schema : {}
    return [name, value ?? example ?? listOf(examples)[0] ?? listOf(allowed)[0]]
  })
  return { ...Object.fromEntries(standard), ...given }
}

function draftOf({ subjects }: CheckPlan, step: Part, parameters: readonly Part[], scope: Scope): Draft {
  const subject = subjectOf(subjects, step)
  let draft = createDraft(subject.operation)
  for (const { name, in: place, value } of parameters.toReversed()) {
    if (typeof name === 'string' && isPlace(place)) draft = withParameter(draft, place, name, fill(value, scope))
  }
  const { requestBody } = step
  if (!isObject(requestBody))
    return isSafe(draft) || !subject.draft?.body
      ? draft
      : {
          ...draft,
          body: subject.draft.body,
          ...(subject.draft.contentType !== undefined && { contentType: subject.draft.contentType }),
        }
  const payload = listOf(requestBody['replacements'])
    .filter(isObject)
    .reduce<unknown>(
      (body, { target, value }) => {
        const path = fromJsonPointer(String(target)).map((part) => (/^\d+$/.test(part) ? Number(part) : part))
        return withValueAt(body, path, fill(value, scope))
      },
      parseTemplate(fill(requestBody['payload'], scope)),
    )
  return withBody(draft, payload)
}

/** A payload may be JSON as a text, with expressions in it. */
function parseTemplate(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function subjectOf(subjects: readonly Subject[], { operationId, operationPath, stepId }: Part): Subject {
  const id = typeof operationId === 'string' ? nameOf(operationId) : undefined
  const [, pointer = ''] = String(operationPath ?? '').split('#')
  const [, path, method = ''] = fromJsonPointer(pointer)
  const found = subjects.find(({ operation }) =>
    id === undefined ? operation.path === path && operation.method === method.toUpperCase() : operation.id === id,
  )
  if (!found)
    throw new WorkflowError(
      `the step "${String(stepId)}" names the operation ${id ?? String(operationPath)}, which the document does not have`,
    )
  return found
}

function isPlace(place: unknown): place is ParameterPlace {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}
