/** A document in very many files. */
import { expect, it } from 'vitest'
import { answering, compileFiles } from '../support/files.js'

const ref = ($ref: string) => ({ $ref })

it('reads a folder of a thousand files', async () => {
  const links = Array.from({ length: 1000 }, (_, index): [string, object] => {
    return [`s/${index}.json`, { properties: { next: ref(`${index + 1}.json`), bad: { type: 'strin' } } }]
  })
  const files = {
    'a.json': answering(ref('s/0.json')),
    ...Object.fromEntries(links),
    's/1000.json': { type: 'object' },
  }
  const { notes } = await compileFiles(files)
  expect(notes).toHaveLength(1000)
  expect(notes.toSorted()[0]).toMatch(/^s\/0\.json:\d+:\d+ type must be/)
})
