/** Follows the steps of an Arazzo document (1.0.1), and says which one does not succeed as it says. */
import { setTimeout as wait } from 'node:timers/promises'
import type { ParameterPlace } from '../../../contract/request-model.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'
import { withNested } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import type { CheckPlan } from '../plan-check.js'
import type { SentResponse } from '../probe-runner.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Subject } from '../requests/checked-operation.js'
import { createDraft, type Draft, isSafe, withBody, withParameter } from '../requests/request-draft.js'
import { type Criterion, evaluate, fill, isMet, type Scope } from './expressions.js'
import { listOf, type Part, WorkflowError, type Workflows } from './workflows.js'

/** Maximum steps of one workflow, and seconds before a retry. */
const maxSteps = 1000
const maxWaitSeconds = 10

/** @throws WorkflowError for a part that cannot be read, with its place */
export async function runWorkflows(plan: CheckPlan, document: Workflows): Promise<void> {
  const outputs: Record<string, unknown> = {}
  const open = new Set<string>()
  for (const workflow of document.workflows) await runOnce(String(workflow['workflowId']))

  async function runOnce(id: string): Promise<boolean> {
    const workflow = document.workflows.find((each) => each['workflowId'] === id)
    if (!workflow) throw new WorkflowError(`there is no workflow "${id}"`)
    if (Object.hasOwn(outputs, id)) return true
    if (open.has(id)) throw new WorkflowError(`the workflow "${id}" depends on itself`)
    open.add(id)
    for (const other of listOf(workflow['dependsOn'])) if (!(await runOnce(String(other)))) return false
    const found = await runWorkflow(plan, document, workflow, { outputs, runOnce })
    if (found) outputs[id] = { outputs: found }
    return found !== undefined
  }
}

interface Others {
  /** Outputs of the workflows that have run. */
  outputs: Readonly<Record<string, unknown>>
  runOnce(id: string): Promise<boolean>
}

/** @returns its outputs; undefined if a step failed */
async function runWorkflow(
  plan: CheckPlan,
  { components, inputs: given }: Workflows,
  workflow: Part,
  { outputs, runOnce }: Others,
): Promise<Part | undefined> {
  const id = String(workflow['workflowId'])
  const names: Record<string, unknown> = {
    inputs: inputsOf(workflow, given),
    steps: {},
    workflows: outputs,
    components,
  }
  const steps = listOf(workflow['steps']).filter(isObject)
  const resolve = (each: unknown): Part => {
    const reference = isObject(each) ? each['reference'] : undefined
    const found = typeof reference === 'string' ? evaluate(reference, { names }) : each
    return isObject(found) ? { ...found, ...(isObject(each) ? each : {}) } : {}
  }
  const retries = new Map<Part, number>()
  let last: SentResponse | undefined
  for (let index = 0, count = 0; index < steps.length; count++) {
    const step = steps[index] as Part
    if (count > maxSteps) throw new WorkflowError(`the workflow "${id}" has no end`)
    const inner = step['workflowId']
    const result = typeof inner === 'string' ? { action: undefined, isMet: await runOnce(inner) } : await runStep(step)
    const { action } = result
    const kind = action?.['type']
    if (kind === 'retry') {
      retries.set(step, (retries.get(step) ?? 0) + 1)
      await wait(Math.min(Number(action?.['retryAfter'] ?? 0), maxWaitSeconds) * 1000)
      continue
    }
    if (!result.isMet && kind === undefined) return undefined
    if (kind === 'end') break
    if (kind === 'goto' && typeof action?.['workflowId'] === 'string')
      return (await runOnce(action['workflowId'])) ? {} : undefined
    const target = kind === 'goto' ? steps.findIndex((each) => each['stepId'] === action?.['stepId']) : index + 1
    if (target < 0) throw new WorkflowError(`the workflow "${id}" has no step "${String(action?.['stepId'])}"`)
    index = target
  }
  const own = isObject(workflow['outputs']) ? workflow['outputs'] : {}
  return fill(own, { answer: last, names }) as Part

  async function runStep(step: Part): Promise<{ action: Part | undefined; isMet: boolean }> {
    const at = `${id}/${String(step['stepId'])}`
    const parameters = [...listOf(step['parameters']), ...listOf(workflow['parameters'])].map(resolve)
    const draft = draftOf(plan, step, parameters, { answer: last, names })
    const done = { action: undefined as Part | undefined, isMet: false }
    await plan.runner.run(async (session) => {
      const answer = await session.send(draft, 'any', { at, isExact: true })
      const scope: Scope = { answer, names }
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

/** The values of the inputs: those that were given, else the defaults and examples of their schemas. */
function inputsOf({ inputs }: Part, given: Part): Part {
  const properties = isObject(inputs) && isObject(inputs['properties']) ? inputs['properties'] : {}
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
      (body, { target, value }) =>
        isObject(body) ? withNested(body, fromJsonPointer(String(target)), fill(value, scope)) : body,
      fill(requestBody['payload'], scope),
    )
  return withBody(draft, payload)
}

function subjectOf(subjects: readonly Subject[], { operationId, operationPath, stepId }: Part): Subject {
  const id = typeof operationId === 'string' ? operationId.replace(/^\$sourceDescriptions\.[^.]+\./, '') : undefined
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
