/** Long texts of headers and descriptions are read in linear time: with another growth these tests would take minutes. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it, vi } from 'vitest'
import { judgeLifecycle } from '../../src/checks/provider/rules/response-rules.js'
import { Markdown } from '../../src/inspector/parts/markdown.js'
import { wordsOf } from '../../src/lexicon/words.js'

type Node = { type: unknown; props: Record<string, unknown> } | Node[] | string | undefined

/** The text and the elements that a component shows. */
function show(node: Node): string {
  if (Array.isArray(node)) return node.map(show).join('')
  if (typeof node !== 'object' || node === null) return node ?? ''
  const { type, props } = node
  const children = show(typeof type === 'function' ? type(props) : (props['children'] as Node))
  return typeof type === 'string' ? `<${type}>${children}</${type}>` : children
}

const markdown = (text: string) => show(Markdown({ text }) as unknown as Node)

it.each(['<', '<>;a="', '; rel="', '<>; x='])('compares a Link of many "%s" with the document', (unit) => {
  const operation = { lifecycle: { deprecated: true, successor: { path: '/b', link: '/b' } } }
  const response = { headers: { link: unit.repeat(300_000) }, status: 200 }
  const complaints = judgeLifecycle(operation as never, response as never)
  expect(complaints.map(({ at, kind }) => [at, kind])).toEqual([['Link', 'missing']])
})

it.each([
  ...['`a` ', '**a** ', '[a](', '![', '**', '`', '<', '<!--', '<a href="', '<script>', '> ', '>', '- a\n', '# a\n'],
  ...['#\ta\n', '|-|\n', '_a_ ', 'http://', '](', '&', '\n', '\u2028', '#'],
])('shows Markdown of many "%s"', (unit) => {
  vi.stubGlobal('location', { origin: 'https://own.example' })
  expect(markdown(unit.repeat(40_000))).toMatch(/^<div>/)
})

it.each([
  ['`a` **b** _c_ [d](https://e.example "f") <https://g.example>', '<a>'],
  ['**a**_b_', '<p><strong>a</strong><em>b</em></p>'],
  ['# A title ##\nText', '<p>A title</p><p>Text</p>'],
  ['> a\n> > b', '<blockquote><p>a > b</p></blockquote>'],
  ['| a | b |\n| --- | --- |\n| `c` | d |', '<td><code>c</code></td>'],
])('shows %s', (text, shown) => {
  vi.stubGlobal('location', { origin: 'https://own.example' })
  expect(markdown(text)).toContain(shown)
})

it('splits a name of many capitals', () => {
  expect(wordsOf('A'.repeat(1_000_000))).toHaveLength(1)
  expect(wordsOf('getURLsOfHTTPServer')).toEqual(['get', 'urls', 'of', 'http', 'server'])
})

it.each([' ', '\n', '\u00a0'])('streams a text of many "%s" in pieces that are the whole text', async (blank) => {
  const text = blank.repeat(300_000)
  const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
  const content = { 'application/json': { schema, example: { text } }, 'text/event-stream': { schema } }
  const post = { responses: { 200: { description: 'ok', content } } }
  const info = { title: 'T', version: '1' }
  const { contract } = await compileDocument(JSON.stringify({ openapi: '3.1.0', info, paths: { '/say': { post } } }))
  const headers = { Accept: 'text/event-stream' }
  const response = await createSandbox({ contract }).fetch('http://localhost/say', { method: 'POST', headers })
  const events = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)]
  expect(events.map(([, data = '']) => JSON.parse(data).text).join('')).toBe(text)
})
