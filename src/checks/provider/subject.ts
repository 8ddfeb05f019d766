/** An operation that is to be checked, with its schemas, and the first valid request for it. */
import { parameterSchema } from '../../compile/compile-parameters.js'
import { type DescribedOperation, describeOperations, jsonContent } from '../../compile/describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../../compile/document.js'
import type { Contract, Operation, Parameter } from '../../contract/contract.js'
import { createDraft, type Draft, withBody, withParameter } from './draft.js'
import { interestingValues, objects, unique, withoutReadOnly } from './values/interesting-values.js'
import { violationsOf } from './values/judge-draft.js'
import { generateBodies } from './values/valid-bodies.js'

export interface Subject {
  operation: Operation
  /** A request that keeps the contract, without what may be left out; none where no such could be made. */
  draft: Draft | undefined
  /** Values of a parameter, valid and not. */
  valuesOf(parameter: Parameter): unknown[]
  /** JSON bodies, valid and not. */
  bodies: unknown[]
  /** How many more there would be, which are left out. */
  omitted: number
}

/** Bodies for one operation: each is sent, created ones are looked for afterwards. */
const maxBodies = 200

export interface SubjectOptions {
  contract: Contract
  document: OpenApiDocument
  /** Makes generated bodies repeatable. */
  seed: number
  /** How many bodies are generated beside those around the bounds. */
  count: number
}

/** The operations of a server. */
export function createSubjects(options: SubjectOptions, server: string): Subject[] {
  const described = new Map(describeOperations(options.document).map((each) => [each.id, each]))
  return options.contract.operations.flatMap((operation) => {
    const description = described.get(operation.id)
    return description && operation.servers.includes(server) ? [createSubject(options, operation, description)] : []
  })
}

function createSubject(options: SubjectOptions, operation: Operation, described: DescribedOperation): Subject {
  const { contract, document, seed, count } = options
  const isValid = (draft: Draft) => violationsOf(contract, draft).length === 0
  const all = createBodies()
  const bodies = spread(all, maxBodies)
  return { operation, bodies, omitted: all.length - bodies.length, draft: createValidDraft(), valuesOf }

  function valuesOf({ name, in: place, types, list }: Parameter): unknown[] {
    const located = described.parameters.find(({ value }) => value.name === name && value.in === place)
    const values = located ? interestingValues(document, parameterSchema(located)) : []
    const sendable = values.flatMap((value) => toSendable(value, list ? list.itemTypes : types, list !== undefined))
    if (list && list.separator !== 'repeat') {
      return sendable.filter((value) => ![value].flat().some((item) => String(item).includes(list.separator)))
    }
    if (place === 'header') return sendable.filter((value) => headerText.test(String(value)))
    return place === 'cookie' ? sendable.filter((value) => cookieText.test(String(value))) : sendable
  }

  function createBodies(): unknown[] {
    const json = operation.body && described.body && jsonContent(described.body.value.content, described.body.path)
    if (!json) return []
    const schema: Located<Schema> = { value: json.value.schema ?? true, path: [...json.path, 'schema'] }
    const isValidBody = (value: unknown) =>
      violationsOf(contract, withBody(createDraft(operation), value)).every((violation) => violation.in !== 'body')
    const made = [
      ...objects(document, schema, 0),
      ...interestingValues(document, schema),
      ...generateBodies(document, schema, isValidBody, { count, seed }),
    ]
    const { effect } = operation
    const key = effect.kind === 'create' ? effect.fills.find((fill) => fill.with === 'key')?.property : undefined
    return unique(made.map((body) => withoutReadOnly(document, schema, body)).map((body) => withoutKey(body, key)))

    /** A key that callers may choose, and need not, is one that another record has the second time. */
    function withoutKey(body: unknown, key: string | undefined): unknown {
      if (key === undefined || typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return body
      const { [key]: _, ...others } = body as Record<string, unknown>
      return isValidBody(body) && isValidBody(others) ? others : body
    }
  }

  function createValidDraft(): Draft | undefined {
    let draft = createDraft(operation)
    for (const parameter of operation.parameters.filter(({ required }) => required)) {
      const { name, in: place } = parameter
      const isTaken = (value: unknown) =>
        violationsOf(contract, withParameter(draft, place, name, value)).every(
          (violation) => violation.in !== place || violation.at.split(/[.[]/)[0] !== name,
        )
      const value = valuesOf(parameter).find(isTaken)
      if (value === undefined) return undefined
      draft = withParameter(draft, place, name, value)
    }
    if (operation.body?.required) {
      const body = bodies.find((value) => isValid(withBody(draft, value)))
      if (body === undefined) return undefined
      draft = withBody(draft, body)
    }
    return isValid(draft) ? draft : undefined
  }
}

/** So many at most, from every part of the list. */
function spread(values: unknown[], most: number): unknown[] {
  if (values.length <= most) return values
  return Array.from({ length: most }, (_, index) => values[Math.floor((index * values.length) / most)])
}

const numberText = /^-?\d/
/** What every server and client takes there (RFC 9110, section 5.5; RFC 6265, section 4.1.1). */
const headerText = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const cookieText = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/

/** What stands for the value in a URL or header; nothing where that would be another value. */
function toSendable(value: unknown, types: readonly string[], isList: boolean): unknown[] {
  if (isList) {
    if (!Array.isArray(value) || value.length === 0) return []
    const items = value.flatMap((item) => toSendable(item, types, false))
    return items.length === value.length ? [items] : []
  }
  if (value === null || typeof value === 'object') return []
  if (types.includes('string')) return [String(value)]
  const isNumeric = types.includes('integer') || types.includes('number')
  // The text 1 is the number 1 there.
  return typeof value === 'string' && isNumeric && numberText.test(value) ? [] : [value]
}
