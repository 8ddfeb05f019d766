/** A baseline: the findings that a team already knows, so that only new ones fail a run. */
import { isObject } from '../json/own-value.js'
import type { Finding } from './finding.js'
import { parseJsonFile, unreadable as unreadableFile } from './json-file.js'

/** Version 1 did not distinguish kinds of violations, and contained messages, which change from run to run. */
const version = 2

/**
 * Ids of the findings in a baseline.
 * @param file its name in errors
 * @param isToBeUpdated whether it will be overwritten, so that version 1 counts as empty. @default false
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function parseBaseline(text: string, file: string, isToBeUpdated = false): string[] {
  const unreadable = (why: string, remedy: string) => unreadableFile('baseline', file, why, remedy)
  const baseline = parseJsonFile(text, 'baseline', file, replaceIt)
  if (!isObject(baseline) || !('version' in baseline)) throw unreadable('it is JSON, but not a baseline', replaceIt)
  if (baseline['version'] === 1) {
    if (isToBeUpdated) return []
    throw unreadable(
      'its version is 1, whose entries hide every kind of violation in one place',
      'Run once with --update-baseline to rewrite it, and review its entries',
    )
  }
  if (baseline['version'] !== version) {
    const found = JSON.stringify(baseline['version'])
    throw unreadable(`its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const findings = baseline['findings']
  if (!Array.isArray(findings)) throw unreadable('"findings" is not a list', replaceIt)
  return findings.map((id: unknown, index) => {
    if (typeof id === 'string') return id
    throw unreadable(`entry ${index + 1} of "findings" is not text`, 'Correct or remove it')
  })
}

/**
 * JSON with one finding per line, sorted, so that changes are easy to review. Each line has the rule, operation, place and
 * kind, but nothing that differs from run to run.
 */
export function renderBaseline(findings: readonly Pick<Finding, 'id'>[]): string {
  const ids = new Set(findings.map(({ id }) => id))
  return `${JSON.stringify({ version, findings: [...ids].sort() }, null, 2)}\n`
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-baseline'
