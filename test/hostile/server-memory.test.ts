/** What the engine keeps to answer faster is limited for all worlds together. */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { run } from '../support/launch.js'

/** Runs a script in a process whose heap is small. It ends with an error if it keeps too much. */
function runSmall(script: string) {
  const command = [process.execPath, '--max-old-space-size=120', '--input-type=module', '--eval', script] as const
  return run([], { command })
}

const start = `
  import { createSandbox, compileDocument } from 'petstore-sandbox'
  const journal = { maxExchanges: 0 }
  const get = async (sandbox, path, key = 'sandbox') => {
    const response = await sandbox.fetch('http://localhost' + path, { headers: { Authorization: 'Bearer ' + key } })
    if (response.status !== 200) throw new Error(await response.text())
    return response.text()
  }
`

describe('the memory for lists', () => {
  it('is limited for many long addresses', async () => {
    const script = `${start}
      const sandbox = createSandbox({ journal, scenario: 'empty' })
      for (let index = 0; index < 15_000; index++) await get(sandbox, '/v1/pets?' + (index + 'x'.repeat(15_000)))
      console.log('done')`
    expect(await runSmall(script)).toMatchObject({ code: 0, stdout: 'done\n' })
  })

  it('is limited for many worlds with many different long lists', async () => {
    const script = `${start}
      const item = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } }
      const content = (schema) => ({ 'application/json': { schema } })
      const paths = {
        '/notes': { get: { responses: { 200: { description: 'All', content: content({ type: 'array', items: item }) } } } },
        '/notes/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'One', content: content(item) } } } },
      }
      const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths,
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security: [{ key: [] }] }
      const { contract } = await compileDocument(JSON.stringify(document))
      const scenario = { notes: Array.from({ length: 60 }, (_, index) => ({ id: index + 1, text: 'x'.repeat(1000) })) }
      const sandbox = createSandbox({ contract, journal, scenario })
      for (let world = 0; world < 250; world++) {
        const key = 'sandbox-' + world
        await sandbox.world(key).collection('notes').add({ text: key })
        for (let index = 0; index < 20; index++) {
          if (!(await get(sandbox, '/notes?' + index, key)).includes(key)) throw new Error('another world')
        }
      }
      console.log('done')`
    expect(await runSmall(script)).toMatchObject({ code: 0, stdout: 'done\n' })
  })
})

it('the memory for rate limits is limited for all faults and keys together: the first one is forgotten', async () => {
  const sandbox = createSandbox()
  for (let index = 0; index < 1000; index++)
    await sandbox.faults.add({ rate: { limit: index === 0 ? 1 : 1e9, seconds: 86_400 } })
  const get = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await sandbox.fetch(new Request('http://localhost/v1/pets/1', { headers }))).status
  }
  const statuses = [await get('sandbox-a'), await get('sandbox-a')]
  for (let index = 0; index < 100; index++) await get(`sandbox-${index}`)
  expect([...statuses, await get('sandbox-a')]).toEqual([200, 429, 200])
})
