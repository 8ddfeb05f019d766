/** The commands of the real program. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untilRefused } from '../support/in-flight.js'
import { root, run, serve, start, untilReady } from '../support/launch.js'
import { books, listPets, stackTrace, statusFor } from '../support/serving.js'

describe('commands', () => {
  it.each(['-V', '--version'])('prints its version with %s', async (flag) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(await run([flag])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' })
  })

  it('serves when it is told to by name', async () => {
    const url = await untilReady(start(['serve', '-p', '0', '--scenario', 'empty']))
    expect(await listPets({ url })).toEqual([])
  })

  it('serves by npm start, until Ctrl-C', async () => {
    const program = start(['--', '--port', '0'], { command: ['npm', 'start'], isGroup: true })
    const url = await untilReady(program)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGINT')
    expect((await program.ended).stderr).not.toMatch(stackTrace)
    await untilRefused(Number(new URL(url).port))
  })

  it('serves another document with generated data', async () => {
    const { url, stdout } = await serve(['--spec', books])
    const headers = { 'X-API-Key': 'sandbox', 'Content-Type': 'application/json' }
    expect(stdout()).toContain('Book Shelf 2.0.0')
    expect(stdout()).toMatch(/^ {2}DELETE +\/books\/\{bookId\} +remove +deprecated, until 2028-01-01$/m)
    const before = await (await fetch(`${url}/api/books?limit=50`, { headers })).json()
    expect(before.items).toHaveLength(20)
    const body = JSON.stringify({ title: 'Momo', pages: 304 })
    const created = await (await fetch(`${url}/api/books`, { method: 'POST', headers, body })).json()
    const after = await (await fetch(`${url}/api/books?limit=50`, { headers })).json()
    expect(after.items).toEqual([created, ...before.items])
    const line = /^ {2}(curl .*)$/m.exec(stdout())?.[1] ?? ''
    const pasted = await run([], { command: ['sh', '-c', line] })
    expect(JSON.parse(pasted.stdout).items).toEqual(after.items.slice(0, 3))
  })
})
