/** Compares two versions of a document, and reports the changes. */
import { changeRules } from '../../checks/changes/change-rules.js'
import { findChanges, operationsOf } from '../../checks/changes/find-changes.js'
import { findUnknownReads } from '../../checks/changes/unknown-reads.js'
import type { Finding } from '../../checks/finding.js'
import { plural } from '../../checks/reports/report-texts.js'
import type { CompiledText } from '../../compile/compile-text.js'
import { compileSpec } from '../../entries/compile-spec.js'
import { name, version } from '../../generated/package.js'
import { openLock } from '../lock-file.js'
import { dayMs } from '../options/consumer-options.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'
import type { ReportOptions } from '../options/report-options.js'
import { prepareReports } from '../prepare-reports.js'

interface CompareOptions extends ReportOptions, Omit<DocumentOptions, 'spec'> {
  /** File with what the consumer uses. */
  lock?: string
  /** In days. @default an operation that ends is a warning */
  sunsetWithin?: number
  /** Lists harmless changes, too. @default false */
  all?: boolean
}

/** @returns the exit code: 1 if a change breaks the consumer, else 0 */
export async function compareVersions(oldFile: string, nextFile: string, options: CompareOptions): Promise<0 | 1> {
  const reports = await prepareReports({ ...options, spec: nextFile, old: oldFile }, changeRules)
  const startedAt = new Date()
  // One after the other: while one is compiled, reading the other would time out.
  const old = await compileVersion(oldFile, options)
  const next = await compileVersion(nextFile, options)
  const lock = await openLock(options.lock, false, old.contract.operations)
  const { sunsetWithin } = options
  const sunsetBefore = sunsetWithin === undefined ? undefined : startedAt.getTime() + sunsetWithin * dayMs
  const findings = findChanges(old, next, { lock, sunsetBefore }).map(({ finding, place }) => {
    const [version, from] = place.of === 'old' ? [old, oldFile] : [next, nextFile]
    const { file, line } = version.locate(place.path)
    return { ...finding, place: { file: `${/^git:[^:]+:/.exec(from)?.[0] ?? ''}${file}`, line } }
  })
  const isHarmless = ({ rule }: Finding) => changeRules.some(({ id, severity }) => id === rule && severity === 'info')
  const listed = options.all ? findings : findings.filter((finding) => !isHarmless(finding))
  return reports.finish({
    tool: { name, version },
    check: 'changes',
    document: { title: next.contract.title, version: next.contract.version, file: nextFile },
    subject: `${old.contract.title} ${old.contract.version} (${oldFile})`,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: 0,
    rules: changeRules.map(({ id, severity, looksAt, help }) => ({ id, severity, looksAt, help })),
    findings: listed,
    notes: [
      ...(lock ? [summarize(findings.filter((finding) => !isHarmless(finding)))] : []),
      ...(lock ? findUnknownReads(operationsOf(old), lock) : []),
      ...(listed.length < findings.length
        ? [`${plural(findings.length - listed.length, 'harmless change')} left out; --all lists them`]
        : []),
    ],
  })
}

/** `3 of 37 changes are about your code, 5 may be` */
function summarize(findings: readonly Finding[]): string {
  const count = (impact: Finding['impact']) => findings.filter((finding) => finding.impact === impact).length
  const yours = count('yours')
  const verb = yours === 1 ? 'is' : 'are'
  return `${yours} of ${plural(findings.length, 'change')} ${verb} about your code, ${count('maybe')} may be`
}

async function compileVersion(file: string, { strict = false, ...options }: CompareOptions): Promise<CompiledText> {
  const spec = toSpecOptions({ ...options, spec: file })
  if (!file.startsWith('git:')) return compileSpec(spec, { strict })
  const { compileRevision } = await import('../compile-revision.js')
  return compileRevision(file, spec)
}
