/** Milliseconds from the start of the process to its first 200, beside a bare `node:http` script. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'

const rounds = 15
const bin = fileURLToPath(new URL('../bin/petstore-sandbox.js', import.meta.url))
const bare = fileURLToPath(new URL('bare-server.js', import.meta.url))

export default async function benchStart() {
  const times = { bare: [], ours: [] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await timeToFirst200((port) => [bare, port]))
    times.ours.push(await timeToFirst200((port) => [bin, '--port', port, '--log', 'none']))
  }
  const [limit, ours] = [median(times.bare), median(times.ours)]
  console.log(`start to first 200, median of ${rounds}: bare ${limit.toFixed(0)} ms, ours ${ours.toFixed(0)} ms`)
  console.log(`  ratio ${(ours / limit).toFixed(2)} (at most 2.5)`)
}

async function timeToFirst200(toArgs) {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(process.execPath, toArgs(String(port)), { stdio: 'ignore' })
  while (!(await isAnswered(port))) await new Promise((resolve) => setTimeout(resolve, 1))
  const time = performance.now() - start
  child.kill('SIGKILL')
  await once(child, 'exit')
  return time
}

function isAnswered(port) {
  return new Promise((resolve) => {
    const headers = { Authorization: 'Bearer sandbox' }
    const request = get({ host: '127.0.0.1', port, path: '/v1/pets', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
    })
    request.on('error', () => resolve(false))
  })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
