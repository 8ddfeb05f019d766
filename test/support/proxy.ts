/** Starts `proxy` in a folder of its own, and reads what it has written. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Report } from '../../src/checks/report.js'
import { type Ending, run } from './launch.js'
import { runWarm, startWarm } from './warm.js'

export interface Proxied extends Ending {
  folder: string
  report: Report
  /** Of its findings. */
  ids: string[]
}

export interface OpenProxy {
  /** Address without a path. */
  url: string
  port: number
  /** Ends it with a signal, as Ctrl-C does. */
  stop(signal?: NodeJS.Signals): Promise<Proxied>
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-proxy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function readAll(folder: string, ending: Ending): Promise<Proxied> {
  const report: Report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  return { ...ending, folder, report, ids: report.findings.map(({ id }) => id) }
}

const written = ['--report', 'json=report.json', '--report', 'text', '--har', 'traffic.har']

/**
 * Runs a script, whose function `call` sends a request to a path below the base with a key. Its output is only there if it
 * `prints`, as another process then runs it.
 */
export async function proxyCommand(
  address: string,
  script: string,
  {
    args = [],
    env = {},
    prints = false,
  }: { args?: readonly string[]; env?: Record<string, string>; prints?: boolean } = {},
): Promise<Proxied> {
  const folder = await createFolder()
  const code = `const call = (path, init = {}) => fetch(process.env.PETSTORE_BASE_URL + path, {
    ...init, headers: { Authorization: 'Bearer sandbox', 'X-API-Key': 'sandbox', 'Content-Type': 'application/json', ...init.headers } })\n${script}`
  const command = ['--', process.execPath, '--input-type=module', '-e', code]
  return readAll(
    folder,
    await (prints ? run : runWarm)(['proxy', address, ...written, ...args, ...command], { cwd: folder, env }),
  )
}

/** Listens on a free port. */
export async function openProxy(address: string, args: readonly string[] = []): Promise<OpenProxy> {
  const folder = await createFolder()
  const all = ['proxy', address, '--port', '0', ...written, ...args]
  const program = await startWarm(all, 'petstore-sandbox: forwards http', { cwd: folder })
  const [, url = ''] = /^petstore-sandbox: forwards (http:\/\/[^/\s]+)/m.exec(program.stderr) ?? []
  return {
    url,
    port: Number(new URL(url).port),
    stop: async (signal = 'SIGINT') => readAll(folder, await program.stop(signal)),
  }
}
