/** The formats of reports, by name. */
import type { Report } from '../report.js'
import { renderGithub } from './github.js'
import { renderJson } from './json.js'
import { renderJunit } from './junit.js'
import { renderMarkdown } from './markdown.js'
import { renderSarif } from './sarif.js'
import { renderText } from './text.js'

export interface RenderOptions {
  /** Whether text has ANSI colours. */
  isColoured: boolean
  /** Whether text lists the coverage by resource and operation, and what is not covered. */
  isCoverageListed: boolean
  /** Folder where the program was started, relative to the root of the repository; empty at the root. */
  folder: string
}

export type ReportFormat = 'text' | 'json' | 'junit' | 'sarif' | 'github' | 'markdown'

/** Renders a report in each format. */
export const reportFormats: Record<ReportFormat, (report: Report, options: RenderOptions) => string> = {
  text: renderText,
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  github: renderGithub,
  markdown: renderMarkdown,
}
