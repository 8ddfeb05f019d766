/** Generated data for any document: valid records, believable values, and hints. */
import {
  compileDocument,
  createSandbox,
  type GenerateScenarioOptions,
  generateScenario,
  type Values,
} from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { schemas } from '../support/difficult-schemas.js'
import {
  createOf,
  expectValid,
  generateFor,
  post,
  record,
  text,
  toDocument,
  whole,
  withoutId,
} from '../support/generated.js'

for (const [index, [name, schema]] of Object.entries(schemas).entries()) {
  // One of them with more than a thousand, as nothing else depends on the schema there.
  const count = index === 0 ? 1100 : 300
  it(`generates valid records for a schema with ${name}`, async () => {
    const document = toDocument({ [name]: schema })
    const compiled = await compileDocument(JSON.stringify(document))
    const scenario = await generateScenario({ compiled, records: count, seed: 5, onSkip: expect.unreachable })
    const records = scenario[name] ?? []
    // `writeOnly` properties are not returned.
    const returned = JSON.parse(JSON.stringify(document), (_, value) => (value?.writeOnly ? undefined : value))
    if (name === 'closed') returned.components.schemas.closed.required = ['id', 'shown']
    expectValid(returned, `#/components/schemas/${name}`, records)
    expect(records).toHaveLength(count)
    expect(new Set(records.map(({ id }) => id)).size).toBe(count)
    // Not the same record repeatedly.
    if (name !== 'bounded') expect(new Set(records.map(withoutId)).size).toBeGreaterThan(10)
    expect(() => createSandbox({ contract: compiled.contract, scenario })).not.toThrow()
  })
}

it('makes values that fit their names, and names that fit what has them', async () => {
  const number = { type: 'number' }
  const time = { type: 'string', format: 'date-time' }
  const named = (others: object = {}) => record({ name: text, ...others })
  const { scenario } = await generateFor(
    {
      albums: named({ updated_at: time, created_at: time, row: number, price: number, artist: record({ name: text }) }),
      tasks: record({ title: text, priority: text, ip_address: text }),
      dashboards: named({ description: text }),
      museums: named(),
    },
    { records: 40 },
  )
  const all = (collection: string, property: string) => (scenario[collection] ?? []).map((each) => each[property])
  const times = (scenario['albums'] ?? []).filter(({ created_at, updated_at }) => created_at && updated_at)
  expect(times.length).toBeGreaterThan(5)
  for (const { created_at, updated_at } of times) expect(String(created_at) <= String(updated_at)).toBe(true)
  expect(all('albums', 'row').filter((row) => row !== undefined && !Number.isInteger(row))).toEqual([])
  expect(all('albums', 'price').some((price) => price !== undefined && !Number.isInteger(price))).toBe(true)
  // Names are never left out, and tell records apart.
  for (const name of ['albums', 'dashboards', 'museums']) expect(new Set(all(name, 'name')).size).toBeGreaterThan(30)
  expect(all('dashboards', 'name').every((name) => /^Dashboard \d+$/.test(String(name)))).toBe(true)
  expect(all('museums', 'name').every((name) => / Museum$/.test(String(name)))).toBe(true)
  expect(all('tasks', 'title').every((title) => /^Task \d+$/.test(String(title)))).toBe(true)
  expect(
    all('tasks', 'priority').filter((each) => !['low', 'normal', 'high', undefined].includes(each as string)),
  ).toEqual([])
  expect(all('tasks', 'ip_address').filter((each) => each && !String(each).startsWith('192.0.2.'))).toEqual([])
})

it('makes keys like the service: consecutive numbers, random texts in the documented format', async () => {
  const { uuids, strings, coded, bounded, composed } = schemas
  const { scenario, sandbox } = await generateFor({ uuids, strings, coded, bounded, composed }, { records: 3 })
  const keys = (name: string) => scenario[name]?.map(({ id }) => id)
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  expect(new Set(keys('uuids')?.map((id) => String(id).slice(0, 8))).size).toBe(3)
  for (const id of keys('uuids') ?? []) expect(id).toMatch(uuid)
  expect(keys('strings')).toEqual(['1', '2', '3'])
  expect(keys('coded')?.every((id) => /^ord_[0-9a-f]{6}$/.test(String(id)))).toBe(true)
  expect(keys('bounded')).toEqual([1000, 1001, 1002])
  expect(keys('composed')).toEqual([1, 2, 3])
  const added = await post(sandbox, '/uuids', { count: 1 })
  expect(await added.json()).toEqual({ id: expect.stringMatching(uuid), count: 1 })
})

it('generates dates before 2026, in UTC', async () => {
  const { scenario } = await generateFor({ formats: schemas['formats'] }, { records: 200 })
  const times = scenario['formats']?.map(({ at }) => String(at)).toSorted() ?? []
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  expect(times[0]?.slice(0, 4)).toBe('2025')
  expect(times.at(-1)?.slice(0, 7)).toBe('2025-12')
})

it('uses the names of properties if the schema does not describe the values', async () => {
  const person = record({ name: text, email: text, city: text, age: whole, price: { type: 'number' }, groupId: whole })
  const { scenario } = await generateFor({ customers: person, products: record({ name: text }) }, { records: 50 })
  const materials = /\b(Oak|Steel|Linen|Cotton|Ceramic|Walnut|Wool|Glass|Bamboo|Leather|Copper|Canvas)\b/
  expect(scenario['customers']?.some(({ name }) => materials.test(String(name)))).toBe(false)
  expect(scenario['products']?.some(({ name }) => materials.test(String(name)))).toBe(true)
  for (const each of scenario['customers'] ?? []) {
    expect(each['name']).toMatch(/^\p{Lu}\S* .+/u)
    expect(each['email']).toMatch(/^[^@]+@example\.com$/)
    expect(each['city']).toMatch(/^\p{Lu}/u)
    expect(each['age']).toSatisfy((age: number) => age >= 1 && age <= 90)
    expect(String(each['price'])).toMatch(/^\d+(\.\d\d?)?$/)
    // So that it may refer to a record of another collection.
    expect(each['groupId']).toSatisfy((id: number) => id >= 1 && id <= 50)
  }
})

it('makes names and titles of the kind that an example has', async () => {
  const shown = (example: string) => ({ ...text, example })
  const { scenario } = await generateFor({
    clients: record({ name: shown('Norrland Pumps AB') }),
    jobs: record({ title: shown('Pump manual 4th edition') }),
    positions: record({ title: shown('Senior engineer') }),
  })
  const all = (collection: string, property: string) => scenario[collection]?.map((each) => each[property]).join()
  expect(all('clients', 'name')).toMatch(/ (GmbH|Ltd|Inc\.|& Co\.|Group|SA|BV),/)
  expect(all('jobs', 'title')).not.toMatch(/Manager|Consultant|Specialist|Coordinator/)
  expect(all('positions', 'title')).toMatch(/Manager|Consultant|Specialist|Coordinator/)
})

it('uses what is said of properties, and what stands beside them', async () => {
  const said = (description: string) => ({ type: 'string', description })
  const { scenario } = await generateFor(
    {
      calls: record({
        from: said('An E.164 phone number'),
        target: said('The URL that is called'),
        result: said("One of 'busy', 'answered'"),
        accountRef: said('Unique identifier of the account'),
        object: text,
        city: text,
        state: text,
      }),
      guests: record({ first_name: text, lastName: text, fullName: text, email: text }),
    },
    { records: 20 },
  )
  for (const call of scenario['calls'] ?? []) {
    if (call['from']) expect(call['from']).toMatch(/^\+\d+$/)
    if (call['target']) expect(call['target']).toMatch(/^https:/)
    if (call['result']) expect(['busy', 'answered']).toContain(call['result'])
    if (call['accountRef']) expect(call['accountRef']).toMatch(/^[\da-f]{12}$/)
    if (call['object']) expect(call['object']).toBe('call')
    if (call['state']) expect(['active', 'pending', 'completed', 'draft']).not.toContain(call['state'])
  }
  for (const { first_name: first, lastName: last, fullName, email } of scenario['guests'] ?? []) {
    if (!first || !last) continue
    if (fullName) expect(fullName).toBe(`${first} ${last}`)
    if (email)
      expect(email).toContain(
        String(last)
          .normalize('NFKD')
          .replace(/[^\w.-]/g, '')
          .toLowerCase(),
      )
  }
})

it('omits writeOnly properties', async () => {
  const secret = record({ shown: text, hidden: { type: 'string', writeOnly: true } })
  const { scenario } = await generateFor({ secret })
  expect(scenario['secret']?.map((each) => Object.keys(each))).toEqual(Array(20).fill(['id', 'shown']))
})

it('leaves a collection empty if no operation reads it or no record is valid, and reports the latter', async () => {
  const impossible = record({ never: false })
  const document = toDocument({ impossible, closed: schemas['closed'] })
  Object.assign(document.paths, { '/notes': { post: createOf(record({})) } })
  const skipped: string[][] = []
  const compiled = await compileDocument(JSON.stringify(document))
  const scenario = await generateScenario({ compiled, onSkip: (...skip) => skipped.push(skip) })
  expect(Object.keys(scenario)).toEqual(['impossible', 'closed'])
  expect(scenario['impossible']).toEqual([])
  expect(scenario['closed']).toHaveLength(20)
  expect(skipped).toEqual([['impossible', expect.stringContaining('never')]])
})

it('generates fewer records if no keys are left', async () => {
  const { scenario } = await generateFor({ few: record({}, { type: 'string', enum: ['a', 'b', 'c'] }) })
  expect(scenario['few']?.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
})

// --- hints ---------------------------------------------------------------------------------------------------------

it('overrides the document by hints', async () => {
  const schema = { ...record({ size: whole, name: text, day: { type: 'string', format: 'date' } }) }
  const things = { ...schema, properties: { ...schema.properties, note: text } }
  const hints = {
    things: {
      size: { minimum: 3, maximum: 4 },
      name: { faker: { 'helpers.arrayElement': [['Ada', 'Bo']] } },
      day: { faker: 'date.past' },
      note: { enum: ['often', 'often', 'often', 'seldom'], absent: 0.5 },
    },
  }
  const { scenario } = await generateFor({ things }, { records: 400, hints })
  const records = scenario['things'] ?? []
  const count = (test: (each: Values) => boolean) => records.filter(test).length
  expect(new Set(records.map(({ size }) => size))).toEqual(new Set([3, 4]))
  expect(new Set(records.map(({ name }) => name))).toEqual(new Set(['Ada', 'Bo']))
  // Dates in the past are relative to a fixed day too.
  for (const { day } of records) expect(day).toMatch(/^2025-\d\d-\d\d$/)
  expect(count(({ note }) => note === undefined)).toSatisfy((none: number) => none > 150 && none < 250)
  expect(count(({ note }) => note === 'often')).toBeGreaterThan(2 * count(({ note }) => note === 'seldom'))
  expect(count(({ note }) => note === 'seldom')).toBeGreaterThan(10)
})

it('takes hints of the document, which others override, and leaves out those that cannot be used', async () => {
  const hinted = (hint: object) => ({ ...text, 'x-sandbox-hint': hint })
  const letters = { 'helpers.arrayElement': [['a', 'b']] }
  const things = record({
    size: { ...whole, 'x-sandbox-hint': { minimum: 3, maximum: 4 } },
    name: hinted({ faker: letters }),
    code: hinted({ faker: letters }),
    city: hinted({ faker: 'animal.nope' }),
  })
  const hints = { things: { code: { enum: ['c'] } } }
  const { scenario } = await generateFor({ things }, { records: 60, hints })
  const all = (property: string) => new Set((scenario['things'] ?? []).map((each) => each[property]))
  expect([all('size'), all('name'), all('code')]).toEqual([new Set([3, 4]), new Set(['a', 'b']), new Set(['c'])])
  expect(all('city').size).toBeGreaterThan(3)
})

it('notes a hint of the document that cannot be used, with its value and what it must be', async () => {
  const wrong = [7, { faker: 'anmal.dog' }, { faker: 'dog' }, { absent: 2 }, { absent: 0.5 }]
  const properties = Object.fromEntries(wrong.map((hint, at) => [`p${at}`, { ...text, 'x-sandbox-hint': hint }]))
  const { notes } = await compileDocument(JSON.stringify(toDocument({ things: record(properties) })))
  expect(notes().map(({ message }) => message)).toEqual([
    expect.stringMatching(/must be an object such as .*\(got 7\)/),
    expect.stringMatching(/"module\.method"; the closest is "animal" \(got .*anmal\.dog/),
    expect.stringMatching(/must name a method of Faker .*\(got .*dog/),
    expect.stringMatching(/absent from 0 to 1 \(got .*2/),
    expect.stringMatching(/the property is required \(got .*0\.5/),
  ])
})

it('leaves out what would be a guess, unless it is required or all that there is', async () => {
  const guesses = { zorb: text, quux: text, blips: { type: 'array', items: text }, kindCode: whole }
  const optional = { type: 'object', required: ['id'] }
  const { scenario } = await generateFor(
    {
      optional: { ...optional, properties: { id: whole, name: text, city: text, email: text, ...guesses } },
      required: record(guesses),
      nothing: { ...optional, properties: { id: whole, ...guesses } },
    } as never,
    { records: 30 },
  )
  const names = (collection: string) =>
    new Set((scenario[collection] ?? []).flatMap((each) => Object.keys(each)).filter((name) => name in guesses))
  expect([...names('optional')]).toEqual([])
  expect(names('required')).toEqual(new Set(Object.keys(guesses)))
  expect(names('nothing').size).toBeGreaterThan(0)
})

it('makes values of one record that agree', async () => {
  const optional = { text, whole }
  const visits = record({
    city: text,
    country_code: text,
    address: record({ city: text, zip: text, latitude: { type: 'number' } }),
    display_name: text,
    name: text,
    owner: record({ name: text }),
    owner_id: optional.whole,
    file_name: text,
    mime_type: text,
    min_score: whole,
    max_score: whole,
    daily_cost: whole,
    monthly_cost: whole,
    total_rooms: whole,
    single_rooms: whole,
    double_rooms: whole,
    labels: { type: 'array', items: text },
    status: { enum: ['new', 'failed'] },
    failure_reason: text,
    clicks: whole,
    unique_clicks: whole,
    guest: record({ login: text, email: text }),
    hotel: record({ name: text, email: text }),
    guides: {
      type: 'array',
      items: { type: 'object', properties: { language: { enum: ['en', 'de'] }, pages: whole } },
    },
  })
  const { required: _, ...loose } = { ...visits, required: [] }
  const { scenario } = await generateFor({ visits: { ...loose, required: ['id', 'city'] } }, { records: 60 })
  type Person = { name?: string; login?: string; email?: string }
  type Visit = Record<string, never> & {
    address?: { city?: string }
    owner?: { id?: number }
    labels?: string[]
    guides?: { language?: string }[]
    guest?: Person
    hotel?: Person
  }
  for (const visit of (scenario['visits'] ?? []) as unknown as Visit[]) {
    const { address, owner, labels = [], guides = [], guest, hotel } = visit
    if (address?.city) expect(address.city).toBe(visit['city'])
    if (visit['name'] && visit['display_name']) expect(visit['display_name']).toBe(visit['name'])
    if (owner?.id && visit['owner_id']) expect(owner.id).toBe(visit['owner_id'])
    if (String(visit['file_name']).endsWith('.pdf') && visit['mime_type'])
      expect(visit['mime_type']).toBe('application/pdf')
    if (visit['min_score'] && visit['max_score']) expect(visit['min_score'] <= visit['max_score']).toBe(true)
    if (visit['daily_cost'] && visit['monthly_cost']) expect(visit['daily_cost'] <= visit['monthly_cost']).toBe(true)
    if (visit['single_rooms'] && visit['double_rooms'] && visit['total_rooms'])
      expect(visit['total_rooms']).toBe(visit['single_rooms'] + visit['double_rooms'])
    expect(new Set(labels).size).toBe(labels.length)
    if (visit['clicks'] && visit['unique_clicks']) expect(visit['unique_clicks'] <= visit['clicks']).toBe(true)
    if (guest?.login && guest.email) expect(guest.email.replace('.', '_')).toBe(`${guest.login}@example.com`)
    if (hotel?.name && hotel.email) expect(hotel.email.slice(0, 3)).toBe(hotel.name.slice(0, 3).toLowerCase())
    const languages = guides.flatMap(({ language }) => language ?? [])
    expect(new Set(languages).size).toBe(languages.length)
    if (visit['status'] === 'new') expect(visit['failure_reason']).toBeUndefined()
  }
})

it('accepts other hints for the bundled document', async () => {
  const { pets = [] } = await generateScenario({ records: 30, hints: { pets: { name: { enum: ['Rex'] } } } })
  expect(new Set(pets.map(({ name }) => name))).toEqual(new Set(['Rex']))
})

const wrongHints: [what: string, hints: GenerateScenarioOptions['hints'], said: string][] = [
  ['an unknown collection', { cats: {} }, 'unknown collection "cats"; available: pets'],
  ['an unknown property', { pets: { colour: {} } }, 'unknown property "pets.colour"; available: id, name'],
  ['an unknown method', { pets: { name: { faker: 'animal.nope' } } }, 'no method "animal.nope" for "pets.name"'],
  ['arguments that a method refuses', { pets: { name: { faker: { 'number.int': [{ min: 2, max: 1 }] } } } }, 'Max 1'],
  ['a share that is none', { pets: { status: { absent: 2 } } }, 'absent of "pets.status" must be from 0 to 1 (got 2)'],
  ['a share of what is required', { pets: { name: { absent: 0.5 } } }, '"pets.name" is required'],
]

for (const [what, hints, said] of wrongHints) {
  it(`refuses hints with ${what}`, async () => {
    const refused = { code: 'INVALID_OPTION', message: expect.stringContaining(said) }
    await expect(generateScenario({ hints })).rejects.toMatchObject(refused)
  })
}
