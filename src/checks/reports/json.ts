/** The report as it is. Its schema: `spec/report.schema.json`. */
import type { Report } from '../report.js'
import { toJson } from './safe-text.js'

export function renderJson(report: Report): string {
  return toJson(report)
}
