/** Node.js 24 from npx, for peers that require a newer version than the benchmarks run on. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

let found

export function node24() {
  const isEnough = Number(process.versions.node.split('.')[0]) >= 24
  found ??= isEnough ? process.execPath : find()
  return found
}

async function find() {
  const args = ['-y', '-p', 'node@24', 'node', '-p', 'process.execPath']
  return (await promisify(execFile)('npx', args)).stdout.trim()
}
