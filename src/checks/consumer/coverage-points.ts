/** Compiles what there is to meet in an operation: itself, its statuses, its parameters and their boundaries. */

import { type DescribedOperation, jsonContent } from '../../compile/describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../../compile/document.js'
import { flattenSchema, hasFlag } from '../../compile/schemas/flatten-schema.js'
import type { Operation } from '../../contract/contract.js'
import { documentedResponse, rangeOf } from '../../contract/documented-status.js'
import type { CoveragePoint } from '../report.js'
import { type Boundary, boundariesOf } from './boundaries.js'
import type { SentValues } from './sent-values.js'

/** What coverage knows of an answered request. */
export interface Met {
  status: number
  values: SentValues
}

export interface Point extends Omit<CoveragePoint, 'isMet'> {
  isMetBy(met: Met): boolean
}

/** @param described the same operation in the document */
export function compilePoints(
  document: OpenApiDocument,
  operation: Operation,
  described: DescribedOperation | undefined,
): Point[] {
  const points: Point[] = [{ kind: 'operation', name: operation.id, gap: 'never called', isMetBy: () => true }]
  points.push(...operation.responses.map(({ status }) => toStatusPoint(operation, status)))
  if (!described) return points
  const filters = operation.effect.kind === 'list' ? operation.effect.filters : []
  for (const { value, path } of described.parameters) {
    // A header that OpenAPI describes elsewhere (section 4.8.12.2) is no parameter of the contract.
    if (!operation.parameters.some(({ name, in: place }) => name === value.name && place === value.in)) continue
    const isFilter = value.in === 'query' && filters.some(({ parameter }) => parameter === value.name)
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
    gap: isDefault ? 'never met a status that only "default" documents' : `never met a ${status}`,
    isMetBy: (met) =>
      isDefault
        ? documentedResponse(operation, met.status)?.status === status
        : status === String(met.status) || status === rangeOf(met.status),
  }
}

function toSentPoint(at: string, name: string, words: string): Point {
  return { kind: 'parameter', name, gap: `never sent ${words}`, isMetBy: ({ values }) => values.has(at) }
}

interface PointWords {
  at: string
  name: string
  toGap(boundary: Boundary): string
}

function toBoundaryPoints(
  document: OpenApiDocument,
  schema: Located<Schema>,
  { at, name, toGap }: PointWords,
): Point[] {
  return boundariesOf(document, schema).map((boundary) => ({
    kind: 'boundary',
    name: `${name}${boundary.label}`,
    gap: toGap(boundary),
    isMetBy: ({ values }) => values.get(at)?.some(boundary.isMetBy) === true,
  }))
}

/** Of the properties at the top of a JSON body, those that only the service writes left out. */
function toBodyPoints(document: OpenApiDocument, { body }: DescribedOperation): Point[] {
  const json = body && jsonContent(body.value.content, body.path)
  if (!json?.value.schema) return []
  const flat = flattenSchema(document, { value: json.value.schema, path: [...json.path, 'schema'] })
  return [...flat.properties].flatMap(([property, schema]) => {
    if (hasFlag(document, schema, 'readOnly')) return []
    const at = `body ${property}`
    const name = `body.${property}`
    const toGap = ({ label, value }: Boundary) =>
      `never sent ${property}${value === undefined ? label : ` ${JSON.stringify(value)}`} in the body`
    // What is required is in every request that counts.
    const sent = flat.required.has(property) ? [] : [toSentPoint(at, name, `${property} in the body`)]
    return [...sent, ...toBoundaryPoints(document, schema, { at, name, toGap })]
  })
}
