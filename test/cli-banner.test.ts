/** The banner of the real program. */
import { describe, expect, it } from 'vitest'
import { run, serve, start, untilReady } from './support/launch.js'
import { addPet, listPets, statusFor } from './support/serving.js'

describe('the banner', () => {
  it('shows every address', async () => {
    const { url, stdout } = await serve()
    expect(addressesIn(stdout())).toEqual([
      ['production', `${url}/v1`],
      ['staging', `${url}/staging/v1`],
      ['quickstart', url],
    ])
  })

  function addressesIn(banner: string): (string | undefined)[][] {
    return [...banner.matchAll(/^ {2}(\w+) +(http:\S+)$/gm)].map(([, name, address]) => [name, address])
  }

  it('shows every operation with its effect, and what is deprecated until when', async () => {
    const { stdout } = await serve()
    const rows = stdout()
      .split('\n')
      .filter((line) => /^ {2}[A-Z]+ +\//.test(line))
      .map((line) => line.trim().split(/ {2,}/))
    expect(rows).toEqual([
      ['GET', '/pets', 'list', 'production, staging'],
      ['POST', '/pets', 'create', 'production, staging'],
      ['GET', '/pets/{petId}', 'read', 'production, staging', 'deprecated, until 2030-12-05, use GET /pets'],
      ['GET', '/store/orders', 'undescribed', 'production, staging', 'its success is not described: 501'],
      ['POST', '/messages', 'create', 'quickstart'],
    ])
  })

  it('names a key that works, and another that sees other data', async () => {
    const { url, stdout } = await serve()
    const key = /The key "(\S+)" works/.exec(stdout())?.[1] ?? ''
    const other = /another key, (\S+)-<any name>, sees other data/.exec(stdout())?.[1] ?? ''
    expect(await (await addPet(url, 'Only mine', { Authorization: `Bearer ${key}` })).json()).toMatchObject({ id: 121 })
    expect((await listPets({ url }, '', key))[0]).toMatchObject({ name: 'Only mine' })
    expect((await listPets({ url }, '', `${other}-me`))[0]).not.toMatchObject({ name: 'Only mine' })
    expect(await statusFor(url, `${other}-me`)).toBe(200)
  })

  it('says that a restart resets everything, and it does', async () => {
    const first = await serve()
    expect(first.stdout()).toContain('A restart resets everything.')
    const before = await listPets(first)
    await addPet(first.url)
    expect(await listPets(first)).not.toEqual(before)
    await first.stop()
    expect(await listPets(await serve())).toEqual(before)
  })

  it('has a curl line that works when it is pasted into a shell as it is', async () => {
    const server = await serve()
    const line = /^ {2}(curl .*)$/m.exec(server.stdout())?.[1] ?? ''
    const { code, stdout } = await run([], { command: ['sh', '-c', line] })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await listPets(server, '?limit=3'))
  })

  it('ends with the line that scripts wait for, and health is 200 by then', async () => {
    const program = start(['--port', '0'])
    const url = await untilReady(program)
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    const { port } = new URL(url)
    expect(program.stdout().split('\n').slice(-2)).toEqual([
      `petstore-sandbox is ready on http://127.0.0.1:${port}`,
      '',
    ])
  })

  it('names the keys that were given', async () => {
    const { stdout } = await serve(['--api-key', 'first', '--api-key', 'second'])
    expect(stdout()).toContain('The key "first" works; so do second, and each sees its own data.')
  })
})
