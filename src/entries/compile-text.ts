/** Compiles a document. Loaded on first use, because it loads the YAML parser and Ajv. */

import type { ResourceFact, ServiceHabit } from '../behaviour/explain.js'
import { Lines } from '../behaviour/line.js'
import {
  type CompiledContract,
  type ContractOptions,
  compileContract,
  type DescribedDocument,
} from '../compile/compile-contract.js'
import type { ExplainedOperation } from '../compile/resources/explain-operation.js'
import type { Contract, Operation, RequestContract } from '../contract/contract.js'
import type { Ensure } from '../contract/effects/ensure.js'
import type { OpenFact } from '../contract/open-fact.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import type { Validate } from '../contract/validator.js'
import { type DocumentPath, DocumentProblem, EmptyDocument, type OpenApiDocument } from '../document/document.js'
import { createNotes, type DocumentNote, type Notes } from '../document/notes.js'
import { type ReadOptions, readSources } from '../document/read-document.js'
import { type Sources, singleSource } from '../document/sources.js'
import { infer } from '../infer/infer.js'
import { fromJson, toJson } from '../json/exact-json.js'
import { withNested } from '../json/nested.js'
import { ensureValid } from '../json/sampler/ensure-valid.js'
import { finish, finishInSlices } from '../json/steps.js'
import { checkDocument } from '../schemas/check-document.js'
import { type DescribedOperation, describeOperations } from '../schemas/operations/describe-operations.js'
import { documentedLinks } from '../schemas/operations/documented-links.js'

/** A line of a file. */
export interface FilePosition {
  file: string
  /** From 1. */
  line: number
}

/** The operations that have one of the tags, and those with one of the ids. */
export interface DocumentPart {
  tags?: readonly string[] | undefined
  operations?: readonly string[] | undefined
}

export interface CompiledText {
  contract: Contract
  /** The document as OpenAPI 3.1. */
  document: OpenApiDocument
  /** The original text. For a document with other files or overlays, the combined document as JSON. */
  readonly text: string
  /** The number of notes. */
  noteCount: number
  /** The parts of the document that were left out or approximated, in the order of the text. */
  notes(): DocumentNote[]
  /** Why each operation has its effect, in the order of the document. */
  explanations: ExplainedOperation[]
  /** What the whole service does. */
  habits: ServiceHabit[]
  /** Path templates of the collections by name. */
  collectionPaths: ReadonlyMap<string, string>
  /** What is known about the records of each collection, and why, by its name. */
  collectionFacts: ReadonlyMap<string, ResourceFact[]>
  /** What decides answers, and nobody has said or shown. Found when it is called. */
  openFacts(): OpenFact[]
  /**
   * Infers again, and returns that as actions of an OpenAPI Overlay, and why.
   * For Node.js, in slices.
   * @param tried an `x-sandbox-effect` to try, and its place @throws SandboxError `INVALID_DOCUMENT` for an invalid one
   */
  inferAgain(tried?: {
    at: DocumentPath
    value: object
  }): Promise<Pick<CompiledContract, 'contract' | 'overlay' | 'explanations'>>
  /** Returns where the operations are, by id. */
  places(): Map<string, FilePosition>
  /** Returns where a part of the document is in its file; if the part is missing, where its closest parent is. */
  locate(path: DocumentPath): FilePosition
  /** @param part the operations that it has, which must be at least one. @default all */
  toModule(part?: DocumentPart): ContractModule
}

/** A contract as plain data. */
export interface ContractModule {
  contract: Omit<RequestContract, 'validators'>
  /** The code of a function that returns the validators: see `toFunctionBody`. */
  validators: string
}

/**
 * Compiles a document that is a single text.
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with file, line, column and a code frame, if the text cannot be parsed or has
 * nothing to serve, or if `strict` is set and anything is wrong
 */
export function compileText(text: string, file: string, options: ReadOptions = {}): CompiledText {
  return compileSources(singleSource(text, file), options)
}

/**
 * @param sources are modified, so they can be compiled only once
 * @throws SandboxError `INVALID_DOCUMENT` like `compileText`, and for overlays that cannot be applied
 */
export function compileSources(sources: Sources, options: ReadOptions = {}): CompiledText {
  return onStack(sources.root.file, () => finish(compile(sources, options)))
}

/** The same for Node.js, in slices, so that others are answered meanwhile. */
export function compileInSlices(sources: Sources, options: ReadOptions): Promise<CompiledText> {
  return finishInSlices(eachOnStack(sources.root.file, compile(sources, options)))
}

function* eachOnStack<T>(file: string, steps: Generator<undefined, T>): Generator<undefined, T> {
  for (;;) {
    const step = onStack(file, () => steps.next())
    if (step.done) return step.value
    yield
  }
}

function onStack<T>(file: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // V8 reports a stack overflow.
    const why = 'its $refs form too long a chain'
    throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${why}`)
  }
}

/**
 * Infers what a document does not say of its behaviour, and compiles both.
 * @param notes collects parts that cannot be served and are left out or approximated
 * @throws DocumentProblem if nothing can be served, or if a chosen effect is not possible
 */
export function inferAndCompile(document: OpenApiDocument, notes: Notes, options: ContractOptions): CompiledContract {
  return finish(compileInSteps(document, notes, options))
}

function* compileInSteps(
  document: OpenApiDocument,
  notes: Notes,
  options: ContractOptions,
): Generator<undefined, CompiledContract> {
  return yield* compileContract(yield* inferInSteps(document, notes), notes, options)
}

function* inferInSteps(
  document: OpenApiDocument,
  notes: Notes,
  isOutline = false,
): Generator<undefined, DescribedDocument> {
  const described = describeOperations(document, notes)
  documentedLinks(document, notes)
  if (described.length === 0) throw new EmptyDocument('The document has no operations to serve', ['paths'])
  yield
  const nothing = () => ({ service: new Lines(), operations: [], collections: [] })
  return { document, described, behaviour: isOutline ? nothing() : yield* infer(document, described) }
}

function* compile(sources: Sources, options: ReadOptions): Generator<undefined, CompiledText> {
  const { document, text, isComposed, notes, toError, locate } = readSources(sources, options, checkDocument)
  yield
  try {
    const { unknownKeys } = options
    const inferred = yield* inferInSteps(document, notes, options.isOutline)
    const { described } = inferred
    const { contract, validators, recordValidators, explanations, habits, facts, paths, openFacts } =
      yield* compileContract(inferred, notes, { isForModule: false, unknownKeys })
    if (options.thorough ?? options.strict) {
      validators.compileAll()
      recordValidators.compileAll()
      noteImpossible({ contract, described, notes }, validators.toFunctions())
    }
    const functions = { validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() }
    const wrong = notes.mistake
    if (wrong && options.strict) throw toError(wrong)
    return {
      contract: { ...contract, ...functions },
      document,
      get text() {
        return isComposed ? toJson(document, undefined, 2) : text
      },
      get noteCount() {
        return notes.list.length
      },
      notes: toDocumentNotes,
      explanations,
      habits,
      collectionPaths: paths,
      collectionFacts: facts,
      openFacts,
      async inferAgain(tried) {
        const other = (
          tried ? withNested({ ...document }, tried.at.map(String), tried.value) : document
        ) as OpenApiDocument
        const again = compileInSteps(other, createNotes(), { isForModule: false, unknownKeys, isPrinted: true })
        try {
          return await finishInSlices(eachOnStack(sources.root.file, again))
        } catch (error) {
          throw error instanceof DocumentProblem ? new SandboxError('INVALID_DOCUMENT', error.message) : error
        }
      },
      places: () => new Map(described.map(({ id, at }) => [id, toPosition(at)])),
      locate: toPosition,
      toModule(part) {
        return onStack(sources.root.file, () => {
          const isKept = part && createIsKept(described, part)
          const steps = compileContract(inferred, createNotes(), { isForModule: true, unknownKeys, isKept })
          const module = finish(steps)
          const { recordSchemas, recordSources, ...requests } = module.contract
          return {
            contract: { ...requests, plans: module.plans.compileAll() },
            validators: module.validators.toFunctionBody(),
          }
        })
      },
    }
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    // If nothing is left to serve, the first note is the cause.
    const [cause = error] = error instanceof EmptyDocument ? notes.list : []
    throw toError(cause)
  }

  function toPosition(path: DocumentPath): FilePosition {
    const { file, line } = locate(path)
    return { file, line }
  }

  /** Sorted by position: first the document itself, then its other files by name. */
  function toDocumentNotes(): DocumentNote[] {
    const orderOf = (file: string) => (file === sources.root.file ? '' : file)
    return notes.list
      .map(({ message, instead, path }) => {
        const { file, line, column } = locate(path)
        return { message, instead, file, line, column }
      })
      .toSorted((a, b) => compareTexts(orderOf(a.file), orderOf(b.file)) || a.line - b.line || a.column - b.column)
  }
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

interface AnswersToNote {
  contract: Pick<Contract, 'operations' | 'collections' | 'plans' | 'recordSchemas'>
  described: readonly DescribedOperation[]
  notes: Notes
}

/** Makes each answer once to find those that cannot be made, which takes time. */
function noteImpossible({ contract, described, notes }: AnswersToNote, validators: readonly Validate[]): void {
  const { operations, collections, plans, recordSchemas } = contract
  const isPossible = ({ validate, plan }: Ensure, value: unknown): boolean => {
    const judge = validators[validate]
    return !judge || ensureValid({ value, judge, plans, plan, seed: 1 }) !== undefined
  }
  for (const [index, { effect, method, path }] of operations.entries()) {
    if (!isMade(effect) || isPossible(effect.ensure, fromJson(effect.body))) continue
    const place = [...(described[index]?.at ?? []), 'responses']
    notes.add(place, `No value satisfies the schema of the response of ${method} ${path}`, 'it answers 501')
  }
  for (const { name, ensure, record } of collections) {
    if (!ensure || isPossible(ensure, undefined)) continue
    notes.add(
      recordSchemas[record] ?? [],
      `No record of "${name}" satisfies its schema`,
      'operations that return one answer 501',
    )
  }
}

type MadeEffect = Extract<Operation['effect'], { kind: 'example' }> & { body: string; ensure: Ensure }

function isMade(effect: Operation['effect']): effect is MadeEffect {
  return effect.kind === 'example' && effect.ensure !== undefined && effect.body !== undefined
}

/** @throws SandboxError `INVALID_OPTION` for a tag or an id that no operation has */
function createIsKept(
  described: readonly DescribedOperation[],
  { tags = [], operations = [] }: DocumentPart,
): (operation: DescribedOperation) => boolean {
  const known = { tag: new Set(described.flatMap(tagsOf)), operation: new Set(described.map(({ id }) => id)) }
  for (const tag of tags) if (!known.tag.has(tag)) throw unknownName('tag', tag, [...known.tag])
  for (const id of operations) if (!known.operation.has(id)) throw unknownName('operation', id, [...known.operation])
  return (operation) => operations.includes(operation.id) || tagsOf(operation).some((tag) => tags.includes(tag))
}

/** The tags of an operation, without what is no text. */
function tagsOf({ value: { tags } }: DescribedOperation): string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}
