/** A baseline: the findings that a team already knows, so that only new ones fail a run. */
import { SandboxError } from '../contract/sandbox-error.js'
import { isObject } from '../json/own-value.js'
import type { Finding } from './finding.js'

/** Version 1 did not distinguish kinds of violations, and contained messages, which change from run to run. */
const version = 2

/**
 * Ids of the findings in a baseline.
 * @param file its name in errors
 * @param isToBeUpdated whether it will be overwritten, so that version 1 counts as empty. @default false
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function parseBaseline(text: string, file: string, isToBeUpdated = false): string[] {
  const baseline = readJson(text, file)
  if (!isObject(baseline) || !('version' in baseline))
    throw unreadable(file, 'it is JSON, but not a baseline', replaceIt)
  if (baseline['version'] === 1) {
    if (isToBeUpdated) return []
    throw unreadable(
      file,
      'its version is 1, whose entries hide every kind of violation in one place',
      'Run once with --update-baseline to rewrite it, and review its entries',
    )
  }
  if (baseline['version'] !== version) {
    const found = JSON.stringify(baseline['version'])
    throw unreadable(file, `its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const findings = baseline['findings']
  if (!Array.isArray(findings)) throw unreadable(file, '"findings" is not a list', replaceIt)
  return findings.map((id: unknown, index) => {
    if (typeof id === 'string') return id
    throw unreadable(file, `entry ${index + 1} of "findings" is not text`, 'Correct or remove it')
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

function readJson(text: string, file: string): unknown {
  try {
    // Some editors on Windows add a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw unreadable(file, `it is not JSON: ${(error as Error).message}`, replaceIt)
  }
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-baseline'

function unreadable(file: string, why: string, remedy: string): SandboxError {
  return new SandboxError('UNREADABLE_FILE', `Failed to read the baseline "${file}": ${why}. ${remedy}`)
}
