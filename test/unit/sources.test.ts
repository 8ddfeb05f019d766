import { expect, it } from 'vitest'
import { readSource } from '../../src/checks/consumer/sources.js'

it.each([
  ...[
    '../../home/x.ts:7',
    '..:7',
    'src/../../x.ts:7',
    'src/..:1',
    '%2e%2e/x.ts:7',
    '..%2fx.ts:7',
    '%252e%252e%252fx.ts:7',
  ],
  ...['%25252e%25252e/x.ts:7', '..\\x.ts:7', 'src\\..\\..\\x.ts:7', '..%5Cx.ts:7', '..%20/x.ts:7', '.../x.ts:7'],
  ...[
    'file:///home/x.ts:7',
    'file:x.ts:7',
    'FILE%3A//x.ts:7',
    'http://a.example/x.ts:7',
    'javascript:x:7',
    '/home/x.ts:7',
  ],
  ...['//server/x.ts:7', '\\\\server\\x.ts:7', '%2Fhome/x.ts:7', 'C:\\x.ts:7', 'c:x.ts:7', '~/x.ts:7', 'a%00b.ts:7'],
  ...['a%0A::error::x.ts:7', 'a%0D.ts:7', 'a%E2%80%A8b.ts:7', 'a%E2%80%AEb.ts:7', 'a%C2%85b.ts:7', 'a%250Ab.ts:7'],
])('leaves out the frame %s, which is not below the project', (text) => {
  expect(readSource(text)).toEqual([])
  expect(readSource(`src/a.ts:1,${text},test/b.test.ts:2`)).toEqual([
    { file: 'src/a.ts', line: 1 },
    { file: 'test/b.test.ts', line: 2 },
  ])
})

it.each([
  ['src/..a/b..ts:7', 'src/..a/b..ts'],
  ['./a.ts:7', './a.ts'],
  ['100%25.ts:7', '100%.ts'],
  ['a%20b/%C3%A4.ts:7', 'a b/\u00e4.ts'],
  ['src/[id]/page.tsx:7', 'src/[id]/page.tsx'],
])('keeps the frame %s', (text, file) => {
  expect(readSource(text)).toEqual([{ file, line: 7 }])
})

it('reads nothing of a header that is malformed or too long', () => {
  for (const text of ['', 'nowhere', 'a.ts:0', 'a b.ts:1', '%E0%A4%A:1', `${'a'.repeat(1030)}:1`])
    expect(readSource(text)).toBeUndefined()
})
