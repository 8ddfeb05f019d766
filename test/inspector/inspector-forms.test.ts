/** The forms of operations in a real browser: fields, JSON, forms, files, and what the answers are shown as. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { findFaults } from '../support/inspector-faults.js'
import { type InspectorOptions, type Opened, openInspector } from '../support/inspector-page.js'
import { writeFolder } from '../support/serving.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const shelter = `openapi: 3.1.0
info: { title: Shelter, version: '1' }
servers: [{ url: https://shelter.example/api }, { url: https://test.shelter.example/api }]
security: [{ key: [] }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  parameters:
    id: { name: id, in: path, required: true, schema: { type: integer } }
  schemas:
    New:
      type: object
      required: [name, age]
      properties:
        name: { type: string, minLength: 2 }
        age: { type: integer, minimum: 0 }
        serial: { type: integer, format: int64 }
        tags: { type: array, items: { type: string } }
        owner: { type: object, properties: { city: { type: string, minLength: 2 } } }
    Animal:
      allOf:
        - $ref: '#/components/schemas/New'
        - { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }
    Visit:
      type: object
      required: [id, who]
      properties:
        id: { type: integer, readOnly: true }
        who: { type: string, minLength: 2 }
        days: { type: array, items: { type: string } }
    Upload:
      type: object
      required: [id, title, photo, meta]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string, minLength: 1 }
        photo: { type: string, contentMediaType: image/png }
        pages: { type: array, items: { type: string, format: binary } }
        meta: { type: object, required: [page], properties: { page: { type: integer } } }
        tags: { type: array, items: { type: string } }
  responses:
    Animal: { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Animal' } } } }
    Done: { description: Done }
paths:
  /animals:
    get:
      operationId: listAnimals
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 9 } }]
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Animal' } } } }
    post:
      operationId: addAnimal
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }
      responses: { '201': { $ref: '#/components/responses/Animal' } }
  /animals/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    get: { operationId: getAnimal, responses: { '200': { $ref: '#/components/responses/Animal' } } }
    put:
      operationId: replaceAnimal
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/New' } }
          application/json: { schema: { $ref: '#/components/schemas/New' } }
      responses: { '200': { $ref: '#/components/responses/Animal' } }
  /visits:
    get:
      operationId: listVisits
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Visit' } } } }
    post:
      operationId: addVisit
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { $ref: '#/components/schemas/Visit' }
            encoding: { days: { style: pipeDelimited, explode: false } }
      responses:
        '201': { description: Made, content: { application/json: { schema: { $ref: '#/components/schemas/Visit' } } } }
  /uploads:
    get:
      operationId: listUploads
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Upload' } } } }
    post:
      operationId: addUpload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { $ref: '#/components/schemas/Upload' }
            encoding: { photo: { contentType: 'image/png, image/gif' }, tags: { contentType: application/json } }
      responses:
        '201':
          description: Made
          content:
            application/json:
              schema: { type: object, required: [id], properties: { id: { type: integer }, title: { type: string } } }
  /uploads/{id}/content:
    parameters: [{ $ref: '#/components/parameters/id' }]
    get:
      operationId: getUpload
      responses:
        '200': { description: File, content: { application/pdf: { schema: { type: string, format: binary } } } }
  /photos/{id}:
    parameters: [{ $ref: '#/components/parameters/id' }]
    get:
      operationId: getPhoto
      responses:
        '200': { description: Photo, content: { image/png: { schema: { type: string, format: binary } } } }
    put:
      operationId: putPhoto
      requestBody: { required: true, content: { 'image/*': { schema: { type: string, format: binary } } } }
      responses: { '204': { $ref: '#/components/responses/Done' } }
  /bytes:
    post:
      operationId: sendBytes
      requestBody:
        required: true
        content: { application/octet-stream: { schema: { type: string, format: binary } } }
      responses: { '204': { $ref: '#/components/responses/Done' } }
  /move:
    get:
      operationId: move
      responses:
        '302':
          description: Elsewhere
          headers: { Location: { required: true, schema: { type: string, enum: ['/api/animals'] } } }
  /notes:
    post:
      operationId: addNote
      requestBody:
        content:
          text/plain: { schema: { type: string } }
          application/xml: { schema: { type: object, properties: { text: { type: string } } } }
      responses: { '204': { $ref: '#/components/responses/Done' } }
  /search:
    get:
      operationId: search
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }
      responses: { '204': { $ref: '#/components/responses/Done' } }
  /lists:
    post:
      operationId: sendList
      requestBody:
        required: true
        content: { application/json: { schema: { type: array, items: { type: integer } } } }
      responses: { '204': { $ref: '#/components/responses/Done' } }
`

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

async function openForm(operation: string, options: InspectorOptions = {}) {
  const opened = await openInspector(browser, { document: shelter, ...options })
  const { page, server, go } = opened
  await go(`operations/${operation}`)
  const form = page.getByRole('region', { name: 'Try it' })
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await form.waitFor()
  return {
    ...opened,
    form,
    answer,
    field: (name: string) => form.getByLabel(new RegExp(`^${name}( required)?$`)),
    press: (name: string) => form.getByRole('button', { name, exact: true }).click(),
    /** @returns the status that is shown */
    async send(): Promise<string> {
      const isOwn = (url: string) => new URL(url).pathname.startsWith('/_sandbox/')
      await Promise.all([
        page.waitForResponse((response) => !isOwn(response.url())),
        form.getByRole('button', { name: 'Send', exact: true }).click(),
      ])
      return answer.locator('.status').innerText()
    },
    /** The last request that arrived at the service. */
    arrived: () => server.sandbox.journal.list().at(-1),
    body: () => String(server.sandbox.journal.list().at(-1)?.request.body),
    record: (collection: string) => server.sandbox.world().collection(collection).list({ limit: 1 }),
  }
}

/** Runs what "Copy as curl" copies. */
async function runCurl({ page }: Pick<Opened, 'page'>, cwd = '.'): Promise<{ command: string; status: string }> {
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', command.replace('curl', 'curl -s -o /dev/null -w "%{http_code}"')],
    { cwd },
  )
  return { command, status: stdout }
}

describe('a JSON body', () => {
  it('is shown as fields and as JSON beside them, which change the same value', async () => {
    const { form, field, send, body, record } = await openForm('addAnimal')
    expect(await field('id').count()).toBe(0)
    await field('name').fill('Rex')
    await field('age').fill('7')
    const text = form.getByLabel('Body as JSON')
    expect(JSON.parse(await text.inputValue())).toMatchObject({ name: 'Rex', age: 7 })
    await text.fill('{"name": "Ida", "age": 8, "colour": "red"}')
    expect(await field('name').inputValue()).toBe('Ida')
    expect(await field('serial').inputValue()).toBe('')
    // A property that the schema does not name stays.
    expect(await field('colour').inputValue()).toBe('red')
    await field('age').fill('9')
    expect(await send()).toBe('201')
    expect(JSON.parse(body())).toEqual({ name: 'Ida', age: 9, colour: 'red' })
    expect(await record('animals')).toMatchObject([{ name: 'Ida', age: 9 }])
  })

  it('that is no JSON cannot be changed by fields until it is, and is sent as it is', async () => {
    const { form, field, send, body, arrived } = await openForm('addAnimal')
    const text = form.getByLabel('Body as JSON')
    await text.fill('{"name":')
    await form.getByText('The text is not JSON: ').waitFor()
    expect(await field('name').isDisabled()).toBe(true)
    expect(await text.inputValue()).toBe('{"name":')
    expect(await send()).toBe('400')
    expect(body()).toBe('{"name":')
    await text.fill('[1]')
    expect(await send()).toBe('400')
    expect(body()).toBe('[1]')
    await text.fill('{"name": "Ida", "age": 2}')
    expect(await field('name').inputValue()).toBe('Ida')
    expect(await field('name').isEnabled()).toBe(true)
    // A required body that is empty is sent too.
    await text.fill('')
    expect(await send()).toBe('400')
    expect(arrived()?.request).toMatchObject({ method: 'POST', path: '/animals' })
    expect(arrived()?.request.body ?? '').toBe('')
  })

  it('keeps every digit of its integers', async () => {
    const { form, field, send, body, answer } = await openForm('addAnimal')
    await field('serial').fill('9007199254740993')
    const text = form.getByLabel('Body as JSON')
    expect(await text.inputValue()).toContain('"serial": 9007199254740993')
    await text.fill((await text.inputValue()).replace('{', '{ '))
    expect(await field('serial').inputValue()).toBe('9007199254740993')
    expect(await send()).toBe('201')
    expect(body()).toContain('"serial": 9007199254740993')
    expect(await answer.innerText()).toContain('9007199254740993')
  })

  it('that is a list has a field for each item', async () => {
    const { form, press, send, body } = await openForm('sendList')
    await form.getByLabel('Body as JSON').fill('[5]')
    await press('Add an item to the list')
    await form.getByLabel('[1]', { exact: true }).fill('7')
    await press('Remove [0]')
    expect(await send()).toBe('204')
    expect(JSON.parse(body())).toEqual([7])
    await form.getByLabel('Body as JSON').fill('[1, 2]')
    expect(await send()).toBe('204')
    expect(body()).toBe('[1, 2]')
    await press('Start over')
    await expect.poll(() => form.getByLabel('Body as JSON').inputValue()).not.toBe('[1, 2]')
  })
})

describe('a request that is refused', () => {
  it('has each message beside its field, and the first wrong field has the focus', async () => {
    const { form, field, send, go } = await openForm('listAnimals')
    await field('limit').fill('10')
    expect(await send()).toBe('400')
    await form.locator('.field.wrong .error', { hasText: 'limit must be at most 9' }).waitFor()
    await go('operations/addAnimal')
    await field('age').fill('many')
    await form.getByLabel('Body as JSON').fill('{"name": "Rex", "age": "many", "owner": {"city": "x"}}')
    expect(await send()).toBe('400')
    const wrong = form.locator('.field.wrong')
    await wrong.first().waitFor()
    expect(await wrong.locator('label').allInnerTexts()).toEqual(['age required', 'city'])
    expect(await wrong.locator('.error').allInnerTexts()).toEqual([
      'age must be an integer (got "many")',
      'owner.city must have at least 2 characters (got "x")',
    ])
    await expect
      .poll(() => field('age').evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true)
  })
})

it('a body that browsers do not send is copied as curl', async () => {
  const { form, press, ...opened } = await openForm('search')
  await press('Send')
  await form.getByText('Browsers send no body with GET').waitFor()
  expect((await runCurl(opened)).status).toBe('204')
})

describe('a form', () => {
  it('is sent in the syntax that the document names', async () => {
    const { form, field, send, body, record, ...opened } = await openForm('addVisit')
    await field('who').fill('Ann & Bo')
    await form.getByLabel('Body as JSON').fill('{"who": "Ann & Bo", "days": ["mon", "tue"]}')
    expect(await send()).toBe('201')
    expect(body()).toBe('who=Ann%20%26%20Bo&days=mon%7Ctue')
    expect(await record('visits')).toMatchObject([{ who: 'Ann & Bo', days: ['mon', 'tue'] }])
    expect((await runCurl(opened)).status).toBe('201')
    expect(await record('visits')).toMatchObject([{ who: 'Ann & Bo', days: ['mon', 'tue'] }])
  })

  it('is one of several media types, each with its own values', async () => {
    const { form, field, send, arrived, body } = await openForm('replaceAnimal')
    const choice = form.getByLabel('Media type')
    expect(await choice.inputValue()).toBe('application/json')
    await field('name').fill('Rex')
    await choice.selectOption('application/x-www-form-urlencoded')
    await field('name').fill('Ida')
    await field('age').fill('3')
    expect(await send()).toBe('200')
    expect(body()).toMatch(/^name=Ida&age=3/)
    await choice.selectOption('application/json')
    expect(await field('name').inputValue()).toBe('Rex')
    expect(await send()).toBe('200')
    await expect.poll(() => arrived()?.request.body).toContain('"name": "Rex"')
  })

  it('has a body that can be left out if it is optional', async () => {
    const { form, send, arrived, body } = await openForm('addNote')
    await form.getByLabel('Media type').selectOption('application/xml')
    expect(await form.getByLabel('Body as text').inputValue()).toBe('<sample/>')
    await form.getByLabel('Body as text').fill('<note>Hi</note>')
    expect(await send()).toBe('204')
    expect(body()).toBe('<note>Hi</note>')
    await form.getByLabel('Send a body').uncheck()
    expect(await form.getByLabel('Body as text').count()).toBe(0)
    expect(await send()).toMatch(/^20/)
    await expect.poll(() => arrived()?.request.body ?? '').toBe('')
    expect(JSON.stringify(arrived()?.request.headers)).not.toContain('xml')
  })
})

describe('a body with files', () => {
  it('is sent with a small sample until a file is chosen', async () => {
    const { form, field, send, body, record, ...opened } = await openForm('addUpload')
    expect(await field('photo').getAttribute('type')).toBe('file')
    expect(await field('photo').getAttribute('accept')).toBe('image/png, image/gif')
    expect(await field('photo').evaluate((element: HTMLInputElement) => element.multiple)).toBe(false)
    expect(await field('pages').evaluate((element: HTMLInputElement) => element.multiple)).toBe(true)
    await field('title').fill('One; "two", @three')
    const text = form.getByLabel('Body as JSON')
    await text.fill(JSON.stringify({ ...JSON.parse(await text.inputValue()), tags: ['a', 'b'] }))
    expect(await send()).toBe('201')
    expect(body()).toContain('filename="sample.txt"')
    // The encoding of the list is one part with JSON.
    expect(body().match(/name="tags"/g)).toHaveLength(1)
    const [first] = await record('uploads')
    expect(first).toMatchObject({ title: 'One; "two", @three', meta: { page: expect.anything() }, tags: ['a', 'b'] })
    expect(await runCurl(opened)).toEqual({ command: expect.stringContaining(" -F 'tags="), status: '201' })
    const [second] = await record('uploads')
    expect(second).toEqual({ ...first, id: Number(first?.['id']) + 1 })
    await form.getByLabel('Send a small sample as photo').uncheck()
    expect(await send()).toBe('400')
    await form.locator('.field.wrong .error', { hasText: 'photo is required' }).waitFor()
  })

  it('is sent with the files that are chosen, which curl sends too', async () => {
    const folder = await writeFolder({ 'a.txt': 'one', 'b.txt': 'two' })
    await writeFile(`${folder}/my photo.png`, png)
    const { field, send, record, server, go, form, ...opened } = await openForm('addUpload')
    await field('photo').setInputFiles(`${folder}/my photo.png`)
    await field('pages').setInputFiles([`${folder}/a.txt`, `${folder}/b.txt`])
    // The files stay chosen in other views.
    await go('operations/getPhoto')
    await form.getByLabel('id required').waitFor()
    await go('operations/addUpload')
    expect(await field('pages').evaluate((element: HTMLInputElement) => element.files?.length)).toBe(2)
    expect(await send()).toBe('201')
    const [{ id, pages } = { id: 0 }] = await record('uploads')
    expect(pages).toHaveLength(2)
    const read = async (of: number) => {
      const response = await fetch(`${server.url}/api/uploads/${of}/content`, { headers: { 'X-Key': 'sandbox' } })
      return Buffer.from(await response.arrayBuffer())
    }
    expect((await read(Number(id))).equals(png)).toBe(true)
    const { command, status } = await runCurl(opened, folder)
    expect(status).toBe('201')
    expect(command).toContain(`-F 'photo=@my photo.png;type=image/png'`)
    expect(command).toContain(`-F 'pages=@b.txt;type=text/plain'`)
    expect((await read(Number(id) + 1)).equals(png)).toBe(true)
  })

  it('is the bytes of a file, or a sample of them', async () => {
    const folder = await writeFolder({})
    await writeFile(`${folder}/dot.png`, png)
    const { form, field, send, arrived, server, go, ...opened } = await openForm('putPhoto')
    const type = () => server.sandbox.journal.list().at(-1)?.request.headers
    await field('id').fill('4')
    expect(await send()).toBe('204')
    expect(arrived()?.request.body).not.toBe('')
    await form.getByLabel('File').setInputFiles(`${folder}/dot.png`)
    expect(await send()).toBe('204')
    await expect.poll(() => JSON.stringify(type())).toContain('image/png')
    const read = () => fetch(`${server.url}/api/photos/4`, { headers: { 'X-Key': 'sandbox' } })
    expect(Buffer.from(await (await read()).arrayBuffer()).equals(png)).toBe(true)
    const { command, status } = await runCurl(opened, folder)
    expect([status, command]).toEqual(['204', expect.stringContaining("--data-binary '@dot.png'")])
    // A range such as image/* has the type of the file, other media types are as documented.
    await go('operations/sendBytes')
    expect(await send()).toBe('204')
    await form.getByLabel('File').setInputFiles(`${folder}/dot.png`)
    expect(await send()).toBe('204')
    await expect.poll(() => JSON.stringify(type())).toContain('application/octet-stream')
  })
})

describe('an answer', () => {
  it('that is an image is shown as one', async () => {
    const { answer, send } = await openForm('getPhoto')
    expect(await send()).toBe('200')
    const image = answer.getByRole('img')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    expect(await image.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
  })

  it('that is a file can be downloaded', async () => {
    const { page, answer, send } = await openForm('getUpload')
    expect(await send()).toBe('200')
    const [, size = ''] = /^([\d,]+) bytes of application\/pdf/m.exec(await answer.innerText()) ?? []
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      answer.getByRole('link', { name: 'Download' }).click(),
    ])
    const bytes = await readFile(await download.path())
    expect([download.suggestedFilename(), bytes.length]).toEqual(['getUpload.pdf', Number(size.replace(',', ''))])
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('that is a redirect has its status and its Location', async () => {
    const { answer, send } = await openForm('move')
    await send()
    await expect.poll(() => answer.locator('.status').innerText()).toBe('302')
    await answer.getByText('/api/animals').waitFor()
  })
})

it('what was typed stays for each environment until one begins anew', async () => {
  const { page, go, form, field, press } = await openForm('addAnimal')
  await field('name').fill('Typed')
  await go('data')
  await page.getByRole('navigation', { name: 'Collections' }).waitFor()
  await go('operations/getAnimal')
  await field('id').fill('77')
  await go('operations/addAnimal')
  expect(await field('name').inputValue()).toBe('Typed')
  const [first = '', second = ''] = await page.getByLabel('Environment').locator('option').allInnerTexts()
  await page.getByLabel('Environment').selectOption(second)
  expect(await field('name').inputValue()).not.toBe('Typed')
  await page.getByLabel('Environment').selectOption(first)
  expect(await field('name').inputValue()).toBe('Typed')
  await press('Start over')
  await expect.poll(() => field('name').inputValue()).not.toBe('Typed')
  await go('operations/getAnimal')
  expect(await field('id').inputValue()).toBe('77')
  expect(await form.getByRole('button', { name: 'Start over' }).count()).toBe(1)
})

it('a JSON body is copied as curl', async () => {
  const { field, send, record, ...opened } = await openForm('addAnimal')
  await field('name').fill("O'Neill")
  expect(await send()).toBe('201')
  expect((await runCurl(opened)).status).toBe('201')
  expect(await record('animals')).toMatchObject([{ name: "O'Neill" }])
})

const shown = ['addAnimal', 'addUpload', 'getPhoto', 'addNote']

it.each([
  ['light', 1280],
  ['dark', 360],
] as const)(
  'no form has serious faults of accessibility, or scrolls sideways, in the %s at %i px',
  async (colorScheme, width) => {
    const { page, go, send, form, field } = await openForm('addAnimal', { width, colorScheme })
    const found: string[] = []
    for (const operation of shown) {
      await go(`operations/${operation}`)
      if (operation === 'addAnimal') await field('age').fill('many')
      await send()
      if (operation === 'addAnimal') await form.locator('.error').first().waitFor()
      found.push(...(await findFaults(page)).map((each) => `${operation}: ${each}`))
    }
    expect(found).toEqual([])
  },
)
