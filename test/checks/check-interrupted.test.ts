/** An interrupted `check` removes what it has created, reports what it has found, and ends soon. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Program, root, start } from '../support/launch.js'
import { json } from '../support/provider-faults.js'
import { type Alter, hold, isCreation, provide, services } from '../support/providers.js'
import { writeFolder } from '../support/serving.js'

const books = ['--spec', join(root, 'test/support/books.openapi.yaml')]

interface Interrupted {
  url: string
  methods: string[]
  signal: AbortSignal
}

/** A book shelf. The check is interrupted when it sends a certain creation. */
async function provideInterrupted(creation: number, alter: Alter = (_, next) => next()): Promise<Interrupted> {
  const interruption = new AbortController()
  const methods: string[] = []
  let creations = 0
  const url = await provide(services.books, (asked, next) => {
    methods.push(asked.method)
    if (isCreation(asked) && ++creations === creation) interruption.abort('SIGINT')
    return alter(asked, next)
  })
  return { url, methods, signal: interruption.signal }
}

async function countBooks(url: string): Promise<number> {
  const response = await fetch(`${url}/books?limit=1`, { headers: { 'X-Api-Key': 'sandbox' } })
  return (await response.json()).total
}

describe('an interrupted check', () => {
  it.each([1, 2, 3, 10, 41, 80])('leaves no record if it is interrupted at creation %d', async (creation) => {
    const { url, signal } = await provideInterrupted(creation)
    const before = await countBooks(url)
    await hold(url, services.books, { signal })
    expect(await countBooks(url)).toBe(before)
  })

  it('sends nothing but removals afterwards', async () => {
    const { url, methods, signal } = await provideInterrupted(10)
    await hold(url, services.books, { signal })
    const removals = methods.slice(methods.lastIndexOf('POST') + 1)
    expect(new Set(removals)).toEqual(new Set(['DELETE']))
  })

  it('waits for the answers to creations that are on their way', async () => {
    // The six that are sent at once.
    let together = 0
    const interruption = new AbortController()
    const url = await provide(services.books, async (asked, next) => {
      if (!isCreation(asked)) return next()
      if (++together === 6) interruption.abort('SIGINT')
      await wait(20)
      const answer = await next()
      together--
      return answer
    })
    const before = await countBooks(url)
    await hold(url, services.books, { signal: interruption.signal })
    expect(interruption.signal.aborted).toBe(true)
    expect(await countBooks(url)).toBe(before)
  })

  it('returns what it has found, and notes where it ended', async () => {
    const { url, signal } = await provideInterrupted(10, async (asked, next) =>
      asked.path === '/books' && asked.query.get('limit') === '50' ? new Response('{}', { status: 500 }) : next(),
    )
    const { findings, notes } = await hold(url, services.books, { signal })
    expect(findings.map(({ rule }) => rule)).toContain('server-error')
    expect(notes).toContain('The check ended early at createBook: it was interrupted')
  })

  it('does not wait for the Retry-After of a provider that is always busy', async () => {
    const interruption = new AbortController()
    const url = await provide(services.books, () => {
      setImmediate(() => interruption.abort('SIGINT'))
      return new Response('{}', { status: 429, headers: { ...json, 'retry-after': '10' } })
    })
    const { requests } = await hold(url, services.books, { signal: interruption.signal })
    expect(requests).toBe(1)
  })

  it('does not wait for the pause between two requests', async () => {
    const { url, signal } = await provideInterrupted(1)
    const interruption = new AbortController()
    const onProgress = () => void setImmediate(() => interruption.abort('SIGINT'))
    const { requests } = await hold(url, services.books, { signal: interruption.signal, onProgress, rate: 0.01 })
    expect(requests).toBe(1)
    expect(signal.aborted).toBe(false)
  })
})

describe('the command', () => {
  async function interrupt(
    name: NodeJS.Signals,
    { args = [], alter }: { args?: string[]; alter?: Alter } = {},
  ): Promise<{ url: string; before: number; program: Program }> {
    let program: Program | undefined
    let seen = 0
    const url = await provide(services.books, (asked, next) => {
      if (isCreation(asked) && ++seen === 30) program?.signal(name)
      return alter ? alter(asked, next) : next()
    })
    const before = await countBooks(url)
    program = start(['check', url, '--api-key', 'sandbox', ...books, ...args])
    return { url, before, program }
  }

  it.each([
    { name: 'SIGINT', code: 130 },
    { name: 'SIGTERM', code: 143 },
    { name: 'SIGHUP', code: 129 },
  ] as const)('ends by $name with $code, without records', async ({ name, code }) => {
    const { url, before, program } = await interrupt(name)
    expect((await program.ended).code).toBe(code)
    expect(await countBooks(url)).toBe(before)
  })

  it('says in its messages and in its report that it was interrupted', async () => {
    const { program } = await interrupt('SIGTERM')
    const { stdout, stderr } = await program.ended
    expect(stderr).toBe(
      'petstore-sandbox: interrupted by SIGTERM: removing what this check created; a second signal ends it at once\n',
    )
    expect(stdout).toContain(
      'error the check was interrupted by SIGTERM\n  help: This report is partial, as further findings may be missing',
    )
  })

  it('writes the partial report to files, and no baseline', async () => {
    const folder = await writeFolder({})
    const [report, baseline] = [join(folder, 'report.json'), join(folder, 'known.json')]
    const args = ['--report', `json=${report}`, '--report', 'json', '--baseline', baseline, '--update-baseline']
    const { program } = await interrupt('SIGINT', { args })
    expect(JSON.parse((await program.ended).stdout)).toMatchObject({
      isPassed: false,
      failures: [{ message: 'the check was interrupted by SIGINT' }],
      notes: expect.arrayContaining([
        `The baseline ${baseline} was not updated, as the check was interrupted by SIGINT`,
      ]),
    })
    expect([existsSync(report), existsSync(baseline)]).toEqual([true, false])
  })

  it('ends at once by a second signal', async () => {
    let onRemoval = () => {}
    const removal = new Promise<void>((resolve) => {
      onRemoval = resolve
    })
    const { program } = await interrupt('SIGINT', {
      args: ['--timeout', '600'],
      alter: (asked, next) => {
        if (asked.method !== 'DELETE') return next()
        onRemoval()
        return new Promise(() => {})
      },
    })
    await removal
    // Two signals within a tenth of a second count as one.
    await wait(200)
    program.signal('SIGTERM')
    expect((await program.ended).code).toBe(143)
  })
})
