// While a request runs, no name of a parameter or property is interpreted: a contract in which all of them have other
// names gives the same answers.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { runWarm } from '../support/warm.js'

const spec = join(root, 'test', 'support', 'renamed-names.openapi.yaml')
const folder = join(root, '.reports', 'renamed-names')
const address = 'https://readers.service.example'

/** All names of parameters and properties in the document. None is a word in the code of a module. */
const names = [
  ...['full_name', 'min_visit_count', 'created_after', 'search_text', 'sort_by', 'page_size', 'page_number'],
  ...['reader_list', 'total_count', 'has_more', 'page_info', 'next_url', 'self_url', 'reader_id', 'page_token'],
  ...[
    'note_list',
    'next_page_token',
    'reader_status',
    'visit_count',
    'created_at',
    'updated_at',
    'note_id',
    'note_text',
  ],
]
const toOther = new Map(names.map((name, index) => [name, `q${String(index).padStart(2, '0')}w`]))
const toName = new Map([...toOther].map(([name, other]) => [other, name]))

/** Values of `sort_by` are names without other signs. */
const bare = new Map([...toOther].map(([name, other]) => [name.replaceAll('_', ''), other]))

const rename = (text: string) => text.replace(/[a-z_]+/g, (word) => toOther.get(word) ?? bare.get(word) ?? word)
const renameBack = (text: string) => text.replace(/q\d\dw/g, (word) => toName.get(word) ?? word)

const requests: [method: string, path: string, body?: object][] = [
  ['GET', '/readers'],
  ['POST', '/readers', { full_name: 'Ada Byron', visit_count: 7 }],
  ['POST', '/readers', { full_name: 'Zoe Adams', visit_count: 9, reader_status: 'suspended' }],
  ['POST', '/readers', { full_name: '' }],
  ['POST', '/readers', { visit_count: 'many' }],
  ['GET', '/readers?page_size=2&page_number=2'],
  ['GET', '/readers?page_size=0'],
  ['GET', '/readers?full_name=Ada%20Byron'],
  ['GET', '/readers?min_visit_count=7&sort_by=-visit_count'],
  ['GET', '/readers?sort_by=full_name&page_size=50'],
  ['GET', '/readers?search_text=byron'],
  ['GET', '/readers?created_after=2020-01-01T00:00:00Z&page_size=1'],
  ['GET', '/readers/1'],
  ['GET', '/readers/987654'],
  ['PATCH', '/readers/1', { full_name: 'Grace Hopper' }],
  ['POST', '/readers/1/suspend_card'],
  ['POST', '/readers/1/loan_notes', { note_text: 'Returns late' }],
  ['POST', '/readers/1/loan_notes', { note_text: 'Returned' }],
  ['GET', '/readers/1/loan_notes'],
  ['DELETE', '/readers/1'],
  ['GET', '/readers/1'],
  ['GET', '/readers/1/loan_notes'],
]

/** @param translate renames what is sent */
async function answer(file: string, translate: (text: string) => string): Promise<string[]> {
  const { createHandlers } = await import(pathToFileURL(file).href)
  const { sandbox } = createHandlers()
  await sandbox.clock.freeze()
  await sandbox.clock.travelTo('2026-01-01T00:00:00Z')
  const answers: string[] = []
  for (const [method, path, body] of requests) {
    const sent = body && translate(JSON.stringify(body))
    // The path stays: only the names of its parameters change.
    const [before = '', query] = path.split('?')
    const url = address + before + (query === undefined ? '' : `?${translate(query)}`)
    const headers = { 'Content-Type': 'application/json' }
    const response: Response = await sandbox.fetch(url, { method, headers, body: sent })
    const said = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    answers.push([`${method} ${path} ${response.status}`, ...said, await response.text()].join('\n'))
  }
  return answers
}

it('gives the same answers under other names of all parameters and properties', async () => {
  await mkdir(folder, { recursive: true })
  const [own, other] = [join(folder, 'own.js'), join(folder, 'other.js')]
  const { code, stderr } = await runWarm(['export', 'msw', '--spec', spec, '--out', own, '--force'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await writeFile(other, rename(await readFile(own, 'utf8')))
  const expected = await answer(own, (text) => text)
  const actual = await answer(other, rename)
  expect(actual.map(renameBack)).toEqual(expected)
  const statuses = expected.map((each) => each.split('\n')[0]?.split(' ').at(-1))
  expect(statuses.filter((status) => status === '200' || status === '201').length).toBeGreaterThan(13)
  const page = JSON.parse(expected[5]?.split('\n').at(-1) ?? '')
  expect(page).toMatchObject({ has_more: true, page_info: { next_url: expect.stringContaining('page_number=3') } })
  expect(page.reader_list.length).toBe(2)
})
