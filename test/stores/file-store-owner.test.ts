// Who owns a store in a file: one process of all containers of a machine, until it ends. What happens when the file goes away.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../src/state/commits/store.js'
import { openFileStore } from '../../src/stores/file-store.js'
import { takeOwnership } from '../../src/stores/owner-lock.js'
import { root } from '../support/launch.js'

const folder = await mkdtemp(join(tmpdir(), 'file-store-owner-'))
afterAll(() => rm(folder, { recursive: true }))

let count = 0
function newPath(): string {
  return join(folder, `${count++}.db`)
}

function claimsBeside(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.owner-`))
}

interface Holder {
  child: ChildProcessWithoutNullStreams
  /** The next line that it prints. */
  next: () => Promise<string>
  commit: (name: string) => Promise<string>
  ended: Promise<unknown>
}

/** Starts a process that opens the store, and keeps it open. */
function hold(path: string, ...within: string[]): Holder {
  const [file = '', ...args] = [...within, process.execPath, join(root, 'test/support/store-holder.js'), path]
  const child = spawn(file, args)
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  const commit = (name: string) => {
    child.stdin.write(`${name}\n`)
    return next()
  }
  return { child, next, commit, ended }
}

function canRun(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Other namespaces, as containers have them. */
const containers = ['--net', '--net --pid --fork --kill-child'].flatMap((flags) => {
  const args = flags.split(' ')
  return canRun('unshare', ...args, 'true') ? [{ flags, container: ['unshare', ...args] }] : []
})

describe.each(containers)('a container, made with $flags,', ({ container }) => {
  it('does not get a file that another one has open, until that has ended', async () => {
    const path = newPath()
    const owner = hold(path, ...container)
    expect(await owner.next()).toBe('open')
    expect(await owner.commit('first')).toBe('done')
    const refusal = new RegExp(
      `^Failed to open the store "${path}": process \\d+ of the host ${hostname()} has it open. `,
    )
    expect(await hold(path, ...container).next()).toMatch(refusal)
    expect(await hold(path).next()).toMatch(refusal)
    owner.child.kill('SIGKILL')
    await owner.ended
    const second = hold(path, ...container)
    expect(await second.next()).toBe('open')
    expect(await second.commit('second')).toBe('done')
    await expect(openFileStore(path)).rejects.toThrow(refusal)
    second.child.stdin.end()
    await second.ended
    expect(claimsBeside(path)).toEqual([])
    const store = await openFileStore(path)
    expect(await store.open('held')).toMatchObject({ stamp: { sequence: 2 } })
    await store.close?.()
  })
})

it('has one owner when many processes start at the same time', async () => {
  const path = newPath()
  const within = containers[0]?.container ?? []
  const said = await Promise.all(Array.from({ length: 20 }, () => hold(path, ...within).next()))
  expect(said.filter((line) => line === 'open')).toHaveLength(1)
  expect(said.filter((line) => line !== 'open' && !line.includes('has it open'))).toEqual([])
  expect(claimsBeside(path)).toHaveLength(1)
})

it('has one owner at a time, and then another one, whoever comes and goes', async () => {
  const path = newPath()
  let owners = 0
  let turns = 0
  const contend = async () => {
    for (let left = 10; left > 0; left--) {
      const lock = await takeOwnership(path)
      if (!('release' in lock)) continue
      expect(++owners).toBe(1)
      turns++
      await new Promise((resolve) => setImmediate(resolve))
      expect(lock.isHeld()).toBe(true)
      owners--
      await lock.release()
    }
  }
  await Promise.all(Array.from({ length: 10 }, contend))
  expect(turns).toBeGreaterThan(0)
  expect(claimsBeside(path)).toEqual([])
})

describe('a claim of another machine', () => {
  function claim(path: string): string {
    const file = `${path}.owner-000000001-0123456789ab-othermachine-77-web-2.example.com`
    writeFileSync(file, '')
    return file
  }

  it('is respected as long as it changes, whatever its clock says', async () => {
    const path = newPath()
    const file = claim(path)
    let seconds = 1000
    const timer = setInterval(() => utimesSync(file, seconds, seconds++), 20)
    onTestFinished(() => clearInterval(timer))
    expect(await takeOwnership(path)).toMatchObject({ pid: '77', host: 'web-2.example.com' })
    expect(claimsBeside(path)).toEqual([basename(file)])
  })

  it('is removed if it does not change, and then its owner has the old file', async () => {
    const path = newPath()
    await (await openFileStore(path)).close?.()
    const before = statSync(path)
    claim(path)
    const watched: string[] = []
    const lock = await takeOwnership(path, { watchMs: 200, onWatch: ({ pid, host }) => watched.push(`${pid} ${host}`) })
    if (!('release' in lock)) throw new Error('It was refused')
    expect(watched).toEqual(['77 web-2.example.com'])
    expect(statSync(path)).toMatchObject({ size: before.size })
    expect(statSync(path).ino).not.toBe(before.ino)
    expect(claimsBeside(path)).toHaveLength(1)
    await lock.release()
  })
})

const mounted = newPath()
writeFileSync(mounted, '')
const canMount = canRun('mount', '--bind', mounted, mounted)
if (canMount) execFileSync('umount', [mounted])

it.skipIf(!canMount)('is not opened where a container has only the file, and not its folder', async () => {
  execFileSync('mount', ['--bind', mounted, mounted])
  onTestFinished(() => void execFileSync('umount', [mounted]))
  await expect(openFileStore(mounted)).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    message: `Failed to open the store "${mounted}": only the file is mounted, without its log; mount its folder`,
  })
})

const commit = { on: undefined, isWhole: false, entries: [{ name: 'a', text: '1' }] }

/** Writes into a file from a place on, without making it shorter. */
function overwrite(end: string, at: number, length = 200): (path: string) => void {
  return (path) => {
    const file = openSync(path + end, 'r+')
    writeSync(file, Buffer.alloc(length, 0xa5), 0, length, at)
    closeSync(file)
  }
}

async function openWithOne(path: string): Promise<Store> {
  const store = await openFileStore(path)
  onTestFinished(async () => await store.close?.())
  await store.commit('one', { ...commit, commitId: '1' })
  return store
}

describe('an open file', () => {
  it.each([
    ['is removed', (path: string) => rmSync(path), 'the file "path" was removed while it was open'],
    [
      'is replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, '')
        renameSync(`${path}.new`, path)
      },
      'the file "path" was replaced while it was open',
    ],
    ['is cut to nothing', (path: string) => truncateSync(path), 'the file "path" was cut from'],
    ['has its log cut to nothing', (path: string) => truncateSync(`${path}-wal`), 'the file "path-wal" was cut from'],
    [
      'has its log cut to a half',
      (path: string) => truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2)),
      'the file "path-wal" was cut from',
    ],
    ['loses its log', (path: string) => rmSync(`${path}-wal`), 'the file "path-wal" was removed while it was open'],
    ['is overwritten from its start', overwrite('', 0), 'the file "path" was changed by another program'],
    ['is overwritten with more', overwrite('', 1_000_000), 'the file "path" was changed by another program'],
    ['has its log overwritten from its start', overwrite('-wal', 0), 'the file "path-wal" was changed by another'],
    ['has one other byte in its log', overwrite('-wal', 3000, 1), 'the file "path-wal" was changed by another'],
    ['has more in its log', overwrite('-wal', 1_000_000), 'the file "path-wal" was changed by another'],
    [
      'has a new owner',
      (path: string) => rmSync(join(folder, claimsBeside(path)[0] ?? '')),
      'another process has taken it over',
    ],
  ])('gets no more commits after it %s, and can be read', async (_, change, reason) => {
    const path = newPath()
    const store = await openWithOne(path)
    change(path)
    for (let count = 0; count < 2; count++) {
      await expect(store.commit(`other ${count}`, { ...commit, commitId: `other ${count}` })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining(`"${path}": ${reason.replaceAll('path', path)}`),
      })
    }
    expect(await store.committed('other 0', 'other 0')).toBeUndefined()
    expect(await store.open('one')).toMatchObject({ entries: commit.entries })
  })

  it('that was replaced keeps the log of the new one', async () => {
    const path = newPath()
    const store = await openWithOne(path)
    for (const name of readdirSync(folder))
      if (name.startsWith(basename(path))) rmSync(join(folder, name), { recursive: true })
    const next = await openWithOne(path)
    await expect(store.remove('one')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await store.close?.()
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
    await next.close?.()
    const again = await openFileStore(path)
    expect(await again.open('one')).toMatchObject({ stamp: { sequence: 1 } })
    await again.close?.()
  })
})
