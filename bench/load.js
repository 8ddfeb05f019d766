/** Generates load on the other core for a fixed time: with wrk if it is installed, else with autocannon. */
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onCore } from './servers/launch.js'
import { workFolder } from './work-folder.js'

const autocannon = fileURLToPath(new URL('load-autocannon.js', import.meta.url))

export const loadTool = spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk'

/**
 * @param requests one or more requests, sent in turn: { method, path, headers, body }
 * @returns answered, refused (status 400 or above), errors (broken connections), perSecond, p50 and p99 in ms
 */
export async function load({ port, requests, connections, seconds }) {
  const result =
    loadTool === 'wrk'
      ? await runWrk(port, requests, connections, seconds)
      : await runAutocannon({ port, requests, connections, seconds })
  if (result.answered === 0) throw new Error('No request was answered')
  if (result.errors > 0) throw new Error(`${result.errors} connections broke or timed out`)
  return result
}

async function runWrk(port, requests, connections, seconds) {
  const script = join(workFolder(), `requests-${port}.lua`)
  writeFileSync(script, `${requests.length === 1 ? toConstant(requests[0]) : toTurns(requests)}\n${report}`)
  // wrk accepts only whole seconds. An interrupt ends it early, with a report.
  const isWhole = Number.isInteger(seconds)
  const duration = `-d${isWhole ? seconds : Math.ceil(seconds) + 5}s`
  const args = ['-t1', `-c${connections}`, duration, '--timeout', '10s', '-s', script, `http://127.0.0.1:${port}`]
  const output = await run('wrk', args, isWhole ? undefined : seconds)
  return JSON.parse(output.slice(output.indexOf('{"answered"')))
}

async function runAutocannon(options) {
  // Ten thousand requests are too large for an argument.
  const file = join(workFolder(), `requests-${options.port}.json`)
  writeFileSync(file, JSON.stringify(options))
  return JSON.parse(await run(process.execPath, [autocannon, file]))
}

/** Makes wrk send a constant request, without calling a function for each. */
function toConstant({ method, path, headers, body }) {
  const fields = Object.entries(headers).map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  if (body !== undefined) fields.push(`wrk.body = ${quote(body)}`)
  return [`wrk.method = ${quote(method)}`, `wrk.path = ${quote(path)}`, ...fields].join('\n')
}

function toTurns(requests) {
  const toCall = ({ method, path, headers, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`)
    return `  add(${quote(method)}, ${quote(path)}, {${pairs.join(',')}}, ${body === undefined ? 'nil' : quote(body)})`
  }
  return `local turns = {}
local turn = 0
local host
local function add(method, path, headers, body)
  headers["Host"] = host
  turns[#turns + 1] = wrk.format(method, path, headers, body)
end
function init()
  host = wrk.headers["Host"]
${requests.map(toCall).join('\n')}
end
function request()
  turn = turn % #turns + 1
  return turns[turn]
end`
}

const report = `function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"answered":%d,"refused":%d,"errors":%d,"perSecond":%.1f,"p50":%.3f,"p99":%.3f}\\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`

/** Writes a Lua string. Requests are ASCII, for which JSON and Lua have the same syntax. */
function quote(text) {
  return JSON.stringify(text)
}

function run(command, args, interruptAfter) {
  return new Promise((resolve, reject) => {
    const [file, ...rest] = onCore(1, [command, ...args])
    const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, complaints] = ['', '']
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      complaints += chunk
    })
    const timer = interruptAfter && setTimeout(() => child.kill('SIGINT'), interruptAfter * 1000)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(`${command} exited with ${code}: ${(complaints || output).trim().slice(0, 200)}`))
    })
  })
}
