/** The judge of the Prism tests reports wrong answers, and accepts correct ones. */
import { describe, expect, it } from 'vitest'
import { createJudge, expectKept, petstore } from '../support/prism-judge.js'

const pet = '{"id":1,"name":"Ada","categoryId":1}'
const type = 'application/json'

describe('the check', () => {
  it.each([
    ['a Pet without an id', 'createPet', { status: 201, type, text: pet.replace('"id":1,', '') }],
    ['a Pet with an id in quotes', 'getPet', { status: 200, type, text: pet.replace('1', '"1"') }],
    ['a Pet with a category that is a fraction', 'getPet', { status: 200, type, text: pet.replace(/1}$/, '1.5}') }],
    ['a Pet with an unknown status', 'getPet', { status: 200, type, text: pet.replace('}', ',"status":"gone"}') }],
    ['a Pet in place of a list', 'listPets', { status: 200, type, text: pet }],
    ['a list in place of a Pet', 'getPet', { status: 200, type, text: `[${pet}]` }],
    ['an error without a message', 'getPet', { status: 404, type, text: '{"code":"not_found","status":404}' }],
    ['another content type', 'getPet', { status: 200, type: 'text/plain', text: pet }],
    ['no content type', 'getPet', { status: 200, type: null, text: pet }],
    ['a success that is not documented', 'getPet', { status: 206, type, text: pet }],
    ['a failure inside', 'listPets', { status: 500, type, text: '{"code":"x","message":"x","status":500}' }],
    ['another status in the body', 'listPets', { status: 400, type, text: '{"code":"x","message":"x","status":401}' }],
    [
      'a message without a date',
      'sendMessage',
      { status: 202, type, text: '{"id":"1","message":"","status":"queued"}' },
    ],
  ])('finds %s', async (_, operation, answer) => {
    const judge = await createJudge(petstore)
    expect(() => expectKept(judge, operation, answer)).toThrow()
  })

  it.each([
    ['createPet', { status: 201, type, text: pet }],
    ['getPet', { status: 200, type, text: pet }],
    ['listPets', { status: 200, type, text: `[${pet}]` }],
    ['listPets', { status: 400, type, text: '{"code":"x","message":"x","status":400}' }],
  ])('lets pass what %s may answer', async (operation, answer) => {
    const judge = await createJudge(petstore)
    expect(() => expectKept(judge, operation, answer)).not.toThrow()
  })
})
