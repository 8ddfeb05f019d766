/** The message of an error body that is no JSON. */
import { expect, it } from 'vitest'
import type { RequestContract } from '../../src/contract/contract.js'
import { readErrorMessage } from '../../src/contract/read-error.js'
import { writeText } from '../../src/sandbox/responses/write-error.js'

it.each([
  ['text', 'a < "b" & c', 'a < "b" & c', 'a < "b" & c'],
  [
    'xml',
    'a < "b" & &lt;\u0001',
    '<error><message>a &lt; &quot;b&quot; &amp; &amp;lt;</message></error>',
    'a < "b" & &lt;',
  ],
] as const)('as %s has valid characters only, and is read as it was written', (form, message, written, read) => {
  const text = writeText(form, message)
  expect(text).toBe(written)
  const contract = { errorBody: { mediaType: 'x', form } } as unknown as RequestContract
  expect(readErrorMessage(contract, undefined, 400, text)).toBe(read)
})
