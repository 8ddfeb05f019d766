/** The report as JSON. Its schema is `spec/report.schema.json`. */
import type { Report } from '../report.js'
import { toJson } from './safe-text.js'

/** Safe to print on a terminal. */
export function renderJson(report: Report): string {
  return toJson(report)
}
