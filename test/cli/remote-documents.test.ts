/** A document may be a URL, and so may the files that it refers to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compileFile } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answering, compileFiles, writeFiles } from '../support/files.js'
import { start, untilReady } from '../support/launch.js'
import { books, freePort } from '../support/serving.js'
import { runWarm as run } from '../support/warm.js'

type Answer = string | object | ((request: IncomingMessage, response: ServerResponse) => void)

/** Serves documents by path, until the test ends. @returns the origin */
async function host(answers: Record<string, Answer>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else if (typeof answer === 'function') answer(request, response)
    // The content type does not matter.
    else
      response
        .writeHead(200, { 'Content-Type': 'text/plain' })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const kim = { const: 'Kim' }
const ref = ($ref: string) => ({ $ref })
const redirect = (to: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { Location: to }).end()

async function notesOf(spec: string, options = {}) {
  const { notes } = await compileFile(spec, options)
  return notes().map(({ file, line, column, message, instead }) => `${file}:${line}:${column} ${message}; ${instead}`)
}

it('loads a document from a URL, also after a redirect', async () => {
  const origin = await host({ '/a.json': answering(kim), '/old': redirect('/a.json') })
  expect(await notesOf(`${origin}/old`)).toEqual([])
})

it('loads a document of a URL with a user and a password', async () => {
  let sent: string | undefined
  const origin = await host({
    '/a.json'(request, response) {
      sent = request.headers.authorization
      response.end(JSON.stringify(answering(kim)))
    },
  })
  await notesOf(`${origin.replace('//', '//me:p%40ss@')}/a.json`)
  expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
})

it.each([
  ['serves', []],
  ['serves, by the name of the command,', ['serve']],
])('%s a document that is an argument', async (_, args) => {
  const origin = await host({ '/a.json': answering(kim) })
  for (const document of [`${origin}/a.json`, books]) {
    const program = start([...args, '--port', '0', document])
    await untilReady(program)
    expect(program.stdout()).toContain(document === books ? '/books' : '/x')
  }
})

it('explains a document of a URL', async () => {
  const origin = await host({ '/a.json': answering({ type: 'strin' }) })
  const { stdout, code } = await run(['explain', '--spec', `${origin}/a.json`])
  expect(code).toBe(0)
  expect(stdout).toContain(`${origin}/a.json:1:`)
})

const wrong: [args: string[], message: RegExp][] = [
  [['a.yaml', '--spec', 'b.yaml'], /give one document, not both "a\.yaml" and --spec "b\.yaml"/],
  [['a.yaml', 'b.yaml'], /one sandbox serves one document: start another one for "b\.yaml"/],
  [['serve', 'a.yaml', 'b.yaml'], /one sandbox serves one document: start another one for "b\.yaml"/],
  [['mock'], /there is no command or argument "mock"\n\(Did you mean serve\?\)/],
  [['toString'], /there is no command or argument "toString"\n\(--help/],
  [['run', '--format', 'json', 'a.yaml'], /Write --report json\./],
  [['serv'], /there is no command or argument "serv"\n\(Did you mean serve\?\)/],
  [['none.yaml'], /Failed to read "none\.yaml": there is no such file/],
]

it.each(wrong)('refuses %j', async (args, message) => {
  const { code, stderr } = await run(args)
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})

describe('names the URL and the way out', () => {
  const failing: [what: string, answers: Record<string, Answer>, message: RegExp][] = [
    [
      'that is missing',
      {},
      /^Failed to read "ORIGIN\/a\.json": the server answered 404 Not Found; open it in a browser/,
    ],
    [
      'that requires credentials',
      { '/a.json': (_, response) => void response.writeHead(401).end() },
      /^Failed to read "ORIGIN\/a\.json": the server answered 401 Unauthorized; it needs credentials: save the file/,
    ],
    [
      'of a page',
      { '/a.json': '\n<!DOCTYPE html><html>' },
      /"ORIGIN\/a\.json": it is HTML or XML.* Give the file itself/,
    ],
    [
      'that redirects to itself',
      { '/a.json': redirect('/a.json') },
      /"ORIGIN\/a\.json": redirect count exceeded; check/,
    ],
    [
      'that breaks off',
      {
        '/a.json': (_, response) =>
          void response.writeHead(200, { 'Content-Length': 9 }).write('{', () => response.destroy()),
      },
      /"ORIGIN\/a\.json": .*; check the address, or save the file and give its path$/,
    ],
    [
      'that does not end',
      { '/a.json': (_, response) => flood(response) },
      /"ORIGIN\/a\.json": it has more than 64 MiB$/,
    ],
  ]

  for (const [what, answers, message] of failing) {
    it(what, async () => {
      const origin = await host(answers)
      const error = await compileFile(`${origin}/a.json`).catch((reason: unknown) => reason)
      expect(String((error as Error).message).replaceAll(origin, 'ORIGIN')).toMatch(message)
      expect(error).toHaveProperty('code', expect.stringMatching(/^(UNREADABLE_FILE|INVALID_DOCUMENT)$/))
    })
  }

  it('where nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/a.json`
    await expect(compileFile(url)).rejects.toThrow(
      `Failed to read "${url}": nothing listens there; check the address, or save the file and give its path`,
    )
  })

  it('but not its password', async () => {
    const origin = await host({})
    const error = await compileFile(`${origin.replace('//', '//me:secret@')}/a.json`).catch((reason: Error) => reason)
    expect((error as Error).message).toContain(`"${origin}/a.json"`)
  })
})

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', write)
  }
  write()
}

describe('with --allow-remote-refs', () => {
  it('follows the URLs of a file', async () => {
    const origin = await host({ '/s/one.json': ref('two.json#/here'), '/s/two.json': { here: kim } })
    const files = { 'a.json': answering(ref(`${origin}/s/one.json`)) }
    const { notes, send } = await compileFiles(files, { allowRemoteRefs: true })
    expect(notes).toEqual([])
    expect(await (await send('/x')).json()).toBe('Kim')
  })

  it('follows paths from the URL that redirects end at', async () => {
    const origin = await host({
      '/latest': redirect('/v2/a.json'),
      '/v2/a.json': answering(ref('s/b.json')),
      '/v2/s/b.json': { type: 'strin' },
    })
    expect(await notesOf(`${origin}/latest`, { allowRemoteRefs: true })).toEqual([
      expect.stringMatching(`^${origin}/v2/s/b.json:1:2 type must be one of`),
    ])
  })

  it('notes what is missing there', async () => {
    const origin = await host({})
    const { notes } = await compileFiles({ 'a.json': answering(ref(`${origin}/b.json`)) }, { allowRemoteRefs: true })
    expect(notes).toEqual([
      expect.stringMatching(/cannot be read: the server answered 404 Not Found; .*; any value is/),
    ])
  })
})

it('requests no URL of a document without it', async () => {
  const origin = await host({ '/a.json': answering({ oneOf: [ref('b.json'), ref('c.json')] }), '/b.json': kim })
  expect(await notesOf(`${origin}/a.json`)).toEqual([
    expect.stringMatching(
      /\$ref "b\.json" cannot be read: a URL in a document is requested only with --allow-remote-refs/,
    ),
    expect.stringMatching(
      /\$ref "c\.json" cannot be read: a URL in a document is requested only with --allow-remote-refs/,
    ),
  ])
})

it('reads no file of this machine for a document of a URL', async () => {
  const folder = await writeFiles({ 'kim.json': kim })
  const origin = await host({ '/a.json': answering(ref(`file://${folder}/kim.json`)) })
  expect(await notesOf(`${origin}/a.json`, { allowRemoteRefs: true })).toEqual([
    expect.stringContaining('cannot be read: a document from a URL may not refer to files of this machine; any value'),
  ])
})

it.each([
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 in the other order', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 without a byte order mark', (text: string) => Buffer.from(text, 'utf16le')],
])('reads %s', async (_, encode) => {
  const origin = await host({
    '/a.json': (__, response) => void response.end(encode(JSON.stringify(answering({ type: 'strin' })))),
  })
  expect(await notesOf(`${origin}/a.json`)).toEqual([expect.stringContaining('type must be one of')])
})
