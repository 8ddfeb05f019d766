/**
 * Adds up the reports of the test runs in `.ci/run`, and prints a last line `N passed, N failed`.
 * A run that is missing, exits with an error or has no readable report counts as a failure.
 *
 * @example node scripts/report.js behaviour=0 matrix=1 package=none
 */
import { readFileSync } from 'node:fs'

const reports = new URL('../.reports/', import.meta.url)
const runs = process.argv.slice(2).map((argument) => {
  const [name = '', exit = ''] = argument.split('=')
  return { name, exit, ...count(name) }
})

let passed = 0
let failed = 0
for (const run of runs) {
  const isBroken = run.exit !== '0' || run.error !== undefined
  // Count at least one failure, so that an error outside the tests is not lost.
  const failures = isBroken ? Math.max(run.failed, 1) : run.failed
  for (const test of run.failures ?? []) console.log(`failed: ${test}`)
  if (isBroken && run.failed === 0) console.log(`${run.name}: ${run.error ?? `exited with ${run.exit}`}`)
  passed += run.passed
  failed += failures
  console.log(`${run.name}: ${run.passed} passed, ${failures} failed`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function count(name) {
  try {
    const report = JSON.parse(readFileSync(new URL(`${name}.json`, reports), 'utf8'))
    // A test file that fails to load has no tests to count.
    const failedFiles = report.testResults.filter(({ status, assertionResults }) => {
      return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
    })
    const failures = report.numFailedTests + failedFiles.length
    const failedTests = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    )
    const error = report.success || failures > 0 ? undefined : 'failed outside its tests'
    return {
      ...{ passed: report.numPassedTests, failed: failures, error },
      failures: [...failedFiles.map(({ name }) => name), ...failedTests],
    }
  } catch (error) {
    return { passed: 0, failed: 0, error: `no report (${error.message})` }
  }
}
