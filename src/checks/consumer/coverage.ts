/** Measures which parts of the contract a consumer's tests cover. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse, rangeOf } from '../../contract/documented-status.js'
import { equalFilters } from '../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import { flattenSchema, hasFlag } from '../../schemas/flatten-schema.js'
import {
  type DescribedOperation,
  describeOperations,
  jsonContent,
} from '../../schemas/operations/describe-operations.js'
import type { Coverage, CoveragePoint, OperationCoverage } from '../report.js'
import { percentOf } from '../reports/report-texts.js'
import { type Boundary, boundariesOf } from './boundaries.js'
import type { Call } from './consumer-rule.js'
import { type SentValues, toSentValues } from './sent-values.js'

/** Collects coverage call by call. */
export interface CoverageCounter {
  add(call: Call): void
  toData(): Coverage
}

interface Counted {
  requests: number
  points: Point[]
  unmet: Set<Point>
}

/** Creates a counter with empty coverage. */
export function createCoverage(contract: RequestContract, document: OpenApiDocument): CoverageCounter {
  const described = new Map(describeOperations(document).map((operation) => [operation.id, operation]))
  const counted = new Map(
    contract.operations.map((operation): [string, Counted] => {
      const points = compilePoints(document, operation, described.get(operation.id))
      return [operation.id, { requests: 0, points, unmet: new Set(points) }]
    }),
  )

  return {
    add(call) {
      const state = call.operation && counted.get(call.operation.id)
      if (!call.operation || !state) return
      state.requests++
      if (state.unmet.size === 0) return
      const values = toSentValues(call, call.operation)
      const { status } = call.exchange.response
      for (const point of state.unmet) if (point.isMetBy({ status, values })) state.unmet.delete(point)
    },
    toData() {
      const operations = contract.operations.map(({ id, method, path, effect }): OperationCoverage => {
        const { requests, points, unmet } = counted.get(id) ?? { requests: 0, points: [], unmet: new Set<Point>() }
        const toPoint = (point: Point) => {
          const isMet = !unmet.has(point)
          return { kind: point.kind, name: point.name, isMet, gap: isMet ? '' : requests > 0 ? point.gap : neverCalled }
        }
        const resource = 'collection' in effect && effect.collection ? { resource: effect.collection } : {}
        return { operation: id, method, path, ...resource, requests, points: points.map(toPoint) }
      })
      const all = operations.flatMap(({ points }) => points)
      const met = all.filter(({ isMet }) => isMet).length
      return { total: all.length, met, percent: percentOf(met, all.length), operations }
    },
  }
}

const neverCalled = 'never called'

/** A coverage point that can decide whether a request covers it. */
interface Point extends Omit<CoveragePoint, 'isMet'> {
  isMetBy(met: { status: number; values: SentValues }): boolean
}

/**
 * The coverage points of an operation.
 * @param described the same operation in the document; without it only the call and the statuses count
 */
function compilePoints(
  document: OpenApiDocument,
  operation: Operation,
  described: DescribedOperation | undefined,
): Point[] {
  const points: Point[] = [{ kind: 'operation', name: operation.id, gap: neverCalled, isMetBy: () => true }]
  points.push(...operation.responses.map(({ status }) => toStatusPoint(operation, status)))
  if (!described) return points
  const filters = operation.effect.kind === 'list' ? equalFilters(operation.effect.query) : []
  for (const { value, path } of described.parameters) {
    // Headers that OpenAPI describes elsewhere (section 4.8.12.2) are not parameters of the contract.
    if (!operation.parameters.some(({ name, in: place }) => name === value.name && place === value.in)) continue
    const isFilter = value.in === 'query' && filters.some(({ name }) => name === value.name)
    points.push(
      toSentPoint(`${value.in} ${value.name}`, value.name, `the parameter ${value.name}`),
      ...toBoundaryPoints(
        document,
        { value: value.schema ?? true, path: [...path, 'schema'] },
        {
          at: `${value.in} ${value.name}`,
          name: value.name,
          toGap: ({ label, value: edge }) =>
            isFilter && edge !== undefined ? `never filtered by ${edge}` : `never sent ${value.name}${label}`,
        },
      ),
    )
  }
  return [...points, ...toBodyPoints(document, described)]
}

function toStatusPoint(operation: Operation, status: string): Point {
  const isDefault = status === 'default'
  return {
    kind: 'status',
    name: status,
    gap: isDefault ? 'never got a status that only "default" documents' : `never got a ${status}`,
    isMetBy: (met) =>
      isDefault
        ? documentedResponse(operation, met.status)?.status === status
        : status === String(met.status) || status === rangeOf(met.status),
  }
}

function toSentPoint(at: string, name: string, words: string): Point {
  return { kind: 'parameter', name, gap: `never sent ${words}`, isMetBy: ({ values }) => values.has(at) }
}

function toBoundaryPoints(
  document: OpenApiDocument,
  schema: Located<Schema>,
  { at, name, toGap }: { at: string; name: string; toGap(boundary: Boundary): string },
): Point[] {
  return boundariesOf(document, schema).map((boundary) => ({
    kind: 'boundary',
    name: `${name}${boundary.label}`,
    gap: toGap(boundary),
    isMetBy: ({ values }) => values.get(at)?.some(boundary.isMetBy) === true,
  }))
}

/** For the top-level properties of a JSON body, except `readOnly` ones. */
function toBodyPoints(document: OpenApiDocument, { body }: DescribedOperation): Point[] {
  const json = body && jsonContent(body.value.content, body.path)
  if (!json?.value.schema) return []
  const flat = flattenSchema(document, { value: json.value.schema, path: [...json.path, 'schema'] })
  return [...flat.properties].flatMap(([property, schema]) => {
    if (hasFlag(document, schema, 'readOnly')) return []
    const at = `body ${property}`
    const name = `body.${property}`
    const toGap = ({ label, value }: Boundary) =>
      `never sent ${property}${value === undefined ? label : ` ${toJson(value)}`} in the body`
    // Required properties are in every valid request.
    const sent = flat.required.has(property) ? [] : [toSentPoint(at, name, `${property} in the body`)]
    return [...sent, ...toBoundaryPoints(document, schema, { at, name, toGap })]
  })
}
