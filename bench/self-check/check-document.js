/** Checks the sandbox of one document. Sends the findings to measure-all.js. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '../../dist/node.js'

const { name, file } = JSON.parse(process.argv[2])
const program = fileURLToPath(new URL('../../bin/petstore-sandbox.js', import.meta.url))
const run = promisify(execFile)
const maxBuffer = 1 << 28

process.send({ result: await checkDocument() }, () => process.exit())

async function checkDocument() {
  let server
  try {
    server = await startServer({ spec: file, port: 0, exact: true })
  } catch (error) {
    return { name, outcome: 'not loaded', why: error.message.slice(0, 300) }
  }
  // Environments differ only in their address.
  const { report, why } = await check(server.url + server.sandbox.contract.servers[0].mount)
  if (!report) return { name, outcome: 'not checked', why }
  const { requests, findings } = report
  return { name, outcome: 'checked', requests, findings: findings.map(toLine) }
}

async function check(base) {
  const args = ['check', base, '--spec', file, '--api-key', 'sandbox', '--write', '--report', 'json']
  try {
    return { report: JSON.parse((await run(process.execPath, [program, ...args], { maxBuffer })).stdout) }
  } catch ({ stdout, stderr, message }) {
    // Findings are an exit code, too.
    return stdout ? { report: JSON.parse(stdout) } : { why: (stderr || message).slice(0, 300) }
  }
}

function toLine({ rule, severity, method, path, operation, message }) {
  return `${severity} ${rule} ${method ?? ''} ${path ?? operation ?? ''}: ${message}`.slice(0, 400)
}
