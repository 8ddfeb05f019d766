/** Compiles an OpenAPI document to a contract, so that a request needs only look-ups. */

import { type ResourceFact, type ServiceHabit, toFacts, toHabits } from '../behaviour/explain.js'
import { Lines } from '../behaviour/line.js'
import type { OperationSaid } from '../behaviour/members.js'
import type { CollectionModel, Contract, Operation } from '../contract/contract.js'
import { type ErrorBody, usualFields } from '../contract/documented-response.js'
import type { Effect } from '../contract/effects/effect.js'
import { isUnchanging } from '../contract/effects/is-unchanging.js'
import type { OpenFact } from '../contract/open-fact.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import type { Notes } from '../document/notes.js'
import { effectName } from '../document/refuse-unknown.js'
import { toJson } from '../json/exact-json.js'
import { singletonKey } from '../json/path-property.js'
import { aboutOf, createPlanCompiler, type PlanCompiler } from '../schemas/compile-plans.js'
import { createShapeCompiler } from '../schemas/compile-shapes.js'
import { createTextTypeCompiler } from '../schemas/compile-text-types.js'
import { createValidatorCompiler, type ValidatorCompiler } from '../schemas/compile-validators.js'
import { createXmlCompiler } from '../schemas/compile-xml.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { createValueLooks } from '../values/value-looks.js'
import { compileServers } from './compile-servers.js'
import { findOpenFacts } from './open-facts.js'
import { addCorrected } from './operations/compile-corrected.js'
import { createEnsureCompiler } from './operations/compile-ensure.js'
import { createErrorBodyCompiler } from './operations/compile-error-body.js'
import { findExposed } from './operations/compile-headers.js'
import { compileHttpSemantics } from './operations/compile-http.js'
import { compileLifecycle } from './operations/compile-lifecycle.js'
import { compileOperation, type OperationContext } from './operations/compile-operation.js'
import { compileOAuth, compileSecuritySchemes, findSecretNames } from './operations/compile-security.js'
import { compileEffects, mirrorHeads } from './resources/compile-effects.js'
import { compileFiles } from './resources/effects/compile-files.js'
import { chosenReason, type ExplainedOperation, withBacked } from './resources/explain-operation.js'
import type { Behaviour } from './resources/known-operation.js'
import type { OverlayAction } from './resources/print-overlay.js'
import { toServiceAction } from './resources/print-overlay.js'
import { compileWebhooks } from './webhooks/compile-webhooks.js'

/** A contract whose validators can be compiled to functions, or to the code of a module. */
export interface CompiledContract {
  contract: Omit<Contract, 'validators' | 'recordValidators'>
  validators: ValidatorCompiler
  recordValidators: ValidatorCompiler
  plans: PlanCompiler
  /** Why each operation has its effect, in the order of the document. */
  explanations: ExplainedOperation[]
  /** What is known about the records of each collection, and why, by its name. */
  /** What the whole service does. */
  habits: ServiceHabit[]
  facts: ReadonlyMap<string, ResourceFact[]>
  /** Path templates of the collections by name. */
  paths: Map<string, string>
  /** The operations of the document, in its order. */
  described: readonly DescribedOperation[]
  /** What was inferred, as actions of an overlay. Absent if it was not asked for. */
  overlay: OverlayAction[]
  /** What decides answers, and nobody has said or shown. Found when it is called. */
  openFacts(): OpenFact[]
}

export interface ContractOptions {
  /** Whether the validators are compiled to the code of a module; otherwise only to functions. */
  isForModule: boolean
  /** Leaves out the plans for making records, which answering requests does not need. */
  isWithoutRecordPlans?: boolean
  /** 404: unknown keys have no samples. */
  unknownKeys?: 404 | undefined
  /** Whether to print what was inferred as an overlay. */
  isPrinted?: boolean | undefined
  /** Leaves out the media types that mean the same as documented ones. */
  isExact?: boolean
  /** Which operations to keep. What they do is inferred from all of them. @default all */
  isKept?: ((operation: DescribedOperation) => boolean) | undefined
}

/** The operations of a document, and what is said of them. */
export interface DescribedDocument {
  document: OpenApiDocument
  described: readonly DescribedOperation[]
  behaviour: Behaviour
}

/**
 * @param notes collects parts that cannot be served and are left out or approximated
 * @throws DocumentProblem if a chosen effect is not possible
 */
export function* compileContract(
  { document, described, behaviour }: DescribedDocument,
  notes: Notes,
  options: ContractOptions,
): Generator<undefined, CompiledContract> {
  const servers = compileServers(document, described, notes)
  yield
  const keepsUnknown = behaviour.service.value('unknownProperties') === 'kept'
  const compilers = createCompilers(document, notes, { ...options, keepsUnknown })
  const { shapes, textTypes, validators, recordValidators, errorBodies, plans, xml } = compilers
  const security = compileSecuritySchemes(document, notes)
  const context: OperationContext = { document, notes, servers, security, isExact: options.isExact, ...compilers }

  const stateful = yield* compileEffects(context, behaviour)
  if (options.unknownKeys) stateful.collections.forEach(removeSample)
  const { effects, bulks, written, collections, paths, records, sources } = stateful
  const sharedServers = servers.share(collections)
  const explanations = withBacked(mirrorHeads(described, effects, stateful.explanations))
  const effectOf = (operation: DescribedOperation): Effect => effects.get(operation) ?? { kind: 'undescribed' }
  const { isKept = () => true } = options
  // What belongs only to operations that are left out is not in the contract.
  const leftOut = options.isKept && { ...context, ...createCompilers(document, notes, { ...options, keepsUnknown }) }
  const said = new Map(behaviour.operations.map(({ operation, lines }) => [operation, lines]))
  const linesOf = (operation: DescribedOperation) => said.get(operation) ?? noLines
  const operations: Operation[] = []
  for (const operation of described) {
    const lifecycle = compileLifecycle(operation, described, effectOf, notes)
    const compiled = compileOperation(leftOut && !isKept(operation) ? leftOut : context, operation, {
      effect: effectOf(operation),
      written: written.get(operation),
      lifecycle,
      lines: linesOf(operation),
    })
    operations.push(compiled)
    yield
  }
  const files = compileFiles(document, operations, described, linesOf)
  for (const [index, operation] of operations.entries()) {
    const one = described[index]
    const use = files[index] ?? (one && bulks.get(one))
    if (use) operation.extras = use
    const { effect = operation.effect.kind } = explanations[index] ?? {}
    if (effect !== operation.effect.kind) operation.means = effect
  }
  yield
  compileHttpSemantics({ document, operations, described, collections, shapes: shapes.shapes, records })
  const further = addCorrected(
    operations,
    described.map((each) => [each, linesOf(each)]),
  )
  yield
  const documented = operations.filter((_, index) => isKept(described[index] as DescribedOperation))
  const keptIds = new Set(documented.map(({ id }) => id))
  const kept = [...documented, ...further.filter(({ id }) => keptIds.has(id.replace(/ by \w+$/, '')))]
  const exposed = findExposed(described)
  const usual = behaviour.service.value('errorBody')
  const errorBody = usual ? errorBodies(usual) : commonErrorBody(kept)
  removeCommonErrorBody(kept, errorBody)
  const webhooks = compileWebhooks({ ...context, described, operations, collections, records }).filter(({ on }) =>
    on.some((id) => keptIds.has(id)),
  )
  yield
  if (options.isForModule) xml.compileAll()
  const secretNames = findSecretNames(document)
  const oauth = compileOAuth(document, servers.all, operations)
  const contract: CompiledContract['contract'] = {
    title: document.info?.title ?? 'Untitled',
    version: document.info?.version ?? '',
    servers: servers.all,
    ...(sharedServers.length > 0 && { sharedServers }),
    operations: kept,
    collections,
    schemes: security.schemes,
    ...(secretNames.length > 0 && { secretNames }),
    ...(oauth && { oauth }),
    shapes: shapes.shapes,
    plans: plans.plans,
    textTypes: textTypes.textTypes,
    ...(xml.elements.length > 0 && { xml: xml.elements }),
    ...(exposed !== '' && { exposed }),
    ...(webhooks.length > 0 && { webhooks }),
    recordSchemas: recordValidators.paths,
    recordSources: sources,
    ...(!options.isWithoutRecordPlans && { recordPlans: planRecords(records, plans) }),
    errorBody,
  }
  const explained = explanations.map((each, index): ExplainedOperation => {
    const operation = operations[index]
    const isIdle = operation && each.state === 'none' && isUnchanging(operation, shapes)
    if (isIdle && each.reason === chosenReason)
      noteIdle(
        described[index] as DescribedOperation,
        linesOf(described[index] as DescribedOperation),
        operation,
        notes,
      )
    return {
      ...each,
      ...(files[index] && { state: 'file' }),
      ...(isIdle && {
        reason: `${each.reason}; ${operation.effect.kind === 'action' ? unsaid : 'it changes nothing'}`,
      }),
      ...(isIdle && each.reason !== chosenReason && operation.effect.kind === 'action' && { sure: 'low' as const }),
    }
  })
  return {
    ...{ contract, validators, recordValidators, plans, explanations: explained },
    habits: toHabits(behaviour.service),
    facts: new Map([...stateful.lines].map(([name, lines]) => [name, toFacts(lines)])),
    paths,
    described,
    openFacts: () =>
      findOpenFacts({
        ...{ document, described, behaviour, paths, explanations: explained, lines: stateful.lines },
        contract: { ...contract, validators: [] },
      }),
    overlay: options.isPrinted ? [toServiceAction(document, behaviour.service), ...stateful.toOverlay()] : [],
  }
}

const noLines: OperationSaid = new Lines()

/** Why an action changes nothing. */
const unsaid = 'nothing says which values it changes'

/** Notes that a correction makes an operation one that changes a record, and not how. */
function noteIdle(
  described: DescribedOperation,
  lines: OperationSaid,
  { effect, method, path }: Operation,
  notes: Notes,
): void {
  const isChosen = lines.get('effect') ?? lines.get('collection')
  if (effect.kind === 'example' || !isChosen || lines.isComplete('changes')) return
  const message = `${effectName}: the ${effect.kind} of ${method} ${path} changes nothing`
  notes.addLimit([...described.at, effectName], message, 'say in "changes" what it changes')
}

function createCompilers(
  document: OpenApiDocument,
  notes: Notes,
  options: ContractOptions & { keepsUnknown: boolean },
) {
  const shapes = createShapeCompiler(document, options.keepsUnknown)
  const textTypes = createTextTypeCompiler(document)
  const validators = createValidatorCompiler(document, notes, options)
  const recordValidators = createValidatorCompiler(document, notes, options)
  const plans = createPlanCompiler(document, createValueLooks(aboutOf(document)))
  const ensures = createEnsureCompiler({ document, shapes, validators, plans, isProving: options.isForModule })
  const errorBodies = createErrorBodyCompiler(document, ensures)
  const xml = createXmlCompiler(document)
  return { shapes, textTypes, validators, recordValidators, plans, ensures, errorBodies, xml }
}

/** What exists once has no key that could be unknown. */
function removeSample(model: CollectionModel): void {
  if (model.key !== singletonKey) delete model.sample
}

/** The error body of a document without JSON errors: the first documented one. */
function commonErrorBody(operations: Operation[]): ErrorBody {
  const [first] = operations.flatMap(({ responses }) => responses.flatMap(({ error }) => error ?? []))
  return first ?? { mediaType: 'application/json', fields: [...usualFields] }
}

/** Removes error bodies that equal the common one. */
function removeCommonErrorBody(operations: Operation[], common: ErrorBody): void {
  const text = toJson(common)
  const isCommon = new Map<ErrorBody, boolean>()
  for (const response of operations.flatMap(({ responses }) => responses)) {
    const { error } = response
    if (!error) continue
    if (!isCommon.has(error)) isCommon.set(error, toJson(error) === text)
    if (isCommon.get(error)) delete response.error
  }
}

function planRecords(records: ReadonlyMap<string, Located<Schema>>, plans: PlanCompiler): Record<string, number> {
  return Object.fromEntries([...records].map(([name, { value }]) => [name, plans.add(value)]))
}
