/** Measures which parts of the contract a consumer's tests cover. */

import { describeOperations } from '../../compile/describe-operations.js'
import type { RequestContract } from '../../contract/contract.js'
import type { OpenApiDocument } from '../../document/document.js'
import type { Coverage, OperationCoverage } from '../report.js'
import { percentOf } from '../reports/report-texts.js'
import type { Call } from './consumer-rule.js'
import { compilePoints, type Point } from './coverage-points.js'
import { toSentValues } from './sent-values.js'

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
