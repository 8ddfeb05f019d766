/** Texts of records are what their description, schema and owner say. */
import { compileDocument, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { list, named, object, text, toDocument } from '../support/sketch.js'

const described = (description: string) => ({ ...text, description })
const document = toDocument(
  {
    'GET /crates': { 200: list(named('Crate')) },
    'GET /getfindings': { 200: list(named('Findings')) },
  },
  {
    Crate: object({
      'id!': { type: 'integer' },
      'title!': text,
      'label!': text,
      'color!': text,
      'manager!': described('The package tool (e.g. npm, cargo)'),
      'mood!': described('Must be CALM or LOUD.'),
      'shade!': described('One of “pale” and “dark”.'),
      'plate!': described('The fingerprint'),
      'holder_name!': described('The name of the company for this crate'),
      'taken!': described('A date in "YmdHis" format'),
      'gisp!': text,
      'site!': { ...text, example: 'my-resource' },
      'codes!': { type: 'array', items: text, example: ['xa', 'xb'], minItems: 1 },
      'made_at!': { type: 'integer', description: 'Unix time in milliseconds' },
    }),
    Findings: object({ 'id!': { type: 'integer' }, 'title!': text, 'severity!': text }),
  },
)

describe('a required text', () => {
  async function records(name: string) {
    const scenario = await generateScenario({ compiled: await compileDocument(document), records: 8 })
    return scenario[name] ?? []
  }

  it.each([
    ['manager', /^(npm|cargo)$/],
    ['mood', /^(CALM|LOUD)$/],
    ['shade', /^(pale|dark)$/],
    ['plate', /^[\da-f]{64}$/],
    ['taken', /^20\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d$/],
    ['gisp', /^Gisp \d\d$/],
    ['holder_name', /( (GmbH|Ltd|Inc\.|& Co\.|Group|SA|BV)$)|^[A-Z]\w+ [A-Z]\w+$/],
  ])('named %s is what its description says', async (name, form) => {
    const texts = (await records('crates')).map((each) => String(each[name]))
    expect(texts).toHaveLength(8)
    expect(texts.filter((each) => !form.test(each))).toEqual([])
  })

  it('is no placeholder of an example, and items are those of the example of their list', async () => {
    const crates = await records('crates')
    expect(crates.filter(({ site }) => site === 'my-resource')).toEqual([])
    expect(crates.flatMap(({ codes }) => codes).filter((each) => each !== 'xa' && each !== 'xb')).toEqual([])
    expect(crates.filter(({ made_at }) => Number(made_at) < 1e12)).toEqual([])
  })

  it('has the noun of the schema where the path says what is done', async () => {
    const titles = (await records('getfindings')).map(({ title }) => String(title))
    expect(titles.filter((each) => !/^Finding \d+$/.test(each))).toEqual([])
  })
})
