/** Compares two versions of a document, and reports the changes. */
import { execFile } from 'node:child_process'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { changeRules } from '../../checks/changes/change-rules.js'
import { findChanges, findUnknownReads, operationsOf } from '../../checks/changes/find-changes.js'
import type { Finding } from '../../checks/finding.js'
import { plural } from '../../checks/reports/report-texts.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { loadSources } from '../../document/load-sources.js'
import { isUrl } from '../../document/locations.js'
import { compileSpec, type SpecOptions } from '../../entries/compile-spec.js'
import { type CompiledText, compileSources } from '../../entries/compile-text.js'
import { readText } from '../../node/read-text-file.js'
import { openLock } from '../lock-file.js'
import { dayMs, type ReportOptions } from '../options/check-options.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'
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
    check: 'changes',
    document: { title: next.contract.title, version: next.contract.version, file: nextFile },
    subject: `${old.contract.title} ${old.contract.version} (${oldFile})`,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: 0,
    rules: changeRules,
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
  return file.startsWith('git:') ? compileRevision(file, spec) : compileSpec(spec, { strict }, { isOutline: true })
}

const run = promisify(execFile)

const maxBuffer = 256 * 1024 ** 2

/**
 * Compiles a document of an earlier state of the repository: reads it, and the files that it refers to, from a commit.
 * @param name as `git show` takes it: the path begins at the root of the repository, or with `./` in this folder
 * @throws SandboxError `INVALID_OPTION`, `UNREADABLE_FILE` or `INVALID_DOCUMENT`
 */
async function compileRevision(name: string, { overlays, allowRemoteRefs }: SpecOptions): Promise<CompiledText> {
  const [, ref = '', written = ''] = /^git:([^:]+):(.+)$/s.exec(name) ?? []
  if (ref === '' || ref.startsWith('-') || written === '') {
    throw new SandboxError('INVALID_OPTION', `A document in git is written as git:<ref>:<path> (got "${name}")`)
  }
  const isHere = /^\.{1,2}\//.test(written)
  const prefix = isHere ? (await git(name, ['rev-parse', '--show-prefix'])).trim() : ''
  const path = posix.normalize(prefix + written)
  const sources = await loadSources(path, {
    overlays,
    allowRemoteRefs,
    async read(location, isReferred) {
      if (isUrl(location) || overlays?.includes(location)) return readText(location, isReferred)
      return { text: await git(`git:${ref}:${location}`, ['cat-file', 'blob', `${ref}:${location}`]), location }
    },
  })
  return compileSources(sources, { isOutline: true })
}

async function git(name: string, args: string[]): Promise<string> {
  try {
    return (await run('git', args, { maxBuffer })).stdout
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string }
    const why = code === 'ENOENT' ? 'git is not installed' : stderr.trim().split('\n')[0] || message
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${name}": ${why}`)
  }
}
