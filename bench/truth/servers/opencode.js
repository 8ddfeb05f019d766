/**
 * The server of an editor, opencode: an application on Hono that makes its document from zod schemas. Its sessions are records with
 * messages in files. What needs a model or another host, or runs commands, is left out.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { get, patch, post, put, remove } from './requests.js'

const platform = `opencode-${process.platform}-${process.arch}`
const text = (words) => ({ noReply: true, parts: [{ type: 'text', text: words }] })
const unknown = 'ses_0000000000000000000000000000'

const before = [
  get('list sessions', '/session', { phase: 'before' }),
  get('states of sessions', '/session/status', { phase: 'before' }),
  get('list projects', '/project', { phase: 'before', gives: { project: '/0/id' } }),
  get('questions', '/question', { phase: 'before' }),
  get('permissions', '/permission', { phase: 'before' }),
]

const sessions = [
  post('create garden', '/session', { title: 'Garden plan' }, { gives: { garden: '/id' } }),
  post('create kitchen', '/session', { title: 'Kitchen plan' }, { gives: { kitchen: '/id' } }),
  post('create attic in garden', '/session', { title: 'Attic', parentID: '<garden>' }, { gives: { attic: '/id' } }),
  post(
    'create with rules',
    '/session',
    { title: 'Cellar', permission: [{ permission: 'edit', pattern: '*', action: 'deny' }] },
    { gives: { cellar: '/id' } },
  ),
  post('create without a title', '/session', {}, { gives: { untitled: '/id' } }),
  post('create garden again', '/session', { title: 'Garden plan' }, { gives: { second: '/id' } }),
  post('create with a number as title', '/session', { title: 5 }),
  post('create with an unknown property', '/session', { title: 'Shed', shoe: 42 }, { gives: { shed: '/id' } }),
  post('create with a wrong parent', '/session', { title: 'X', parentID: 'abc' }),
  post('create with two mistakes', '/session', { title: 5, parentID: 7 }),
  post('create with a wrong action', '/session', {
    permission: [{ permission: 'edit', pattern: '*', action: 'perhaps' }],
  }),
  post('create from broken JSON', '/session', '{"title":'),
  post('create from a list', '/session', []),
  post('create from a text', '/session', 'title', { sent: { 'content-type': 'text/plain' } }),
  get('list', '/session'),
  get('list one', '/session', { query: { limit: '1' } }),
  get('list two', '/session', { query: { limit: '2' } }),
  get('list with a wrong limit', '/session', { query: { limit: 'abc' } }),
  get('list by a word', '/session', { query: { search: 'plan' } }),
  get('list by a word in capitals', '/session', { query: { search: 'GARDEN' } }),
  get('list by a word that none has', '/session', { query: { search: 'nothing' } }),
  get('list roots', '/session', { query: { roots: 'true' } }),
  get('list from a later time', '/session', { query: { start: '4000000000000' } }),
  get('list with an unknown parameter', '/session', { query: { shoe: 'x' } }),
  get('read garden', '/session/<garden>'),
  get('read attic', '/session/<attic>'),
  get('children of garden', '/session/<garden>/children'),
  get('children of kitchen', '/session/<kitchen>/children'),
  get('read an unknown one', `/session/${unknown}`),
  get('read by a wrong key', '/session/abc'),
  get('children of an unknown one', `/session/${unknown}/children`),
  patch('rename garden', '/session/<garden>', { title: 'Garden in May' }),
  get('read garden after a change', '/session/<garden>'),
  patch('archive kitchen', '/session/<kitchen>', { time: { archived: 1700000000000 } }),
  patch('change nothing', '/session/<garden>', {}),
  patch('rename with a number', '/session/<garden>', { title: 5 }),
  patch('change an unknown property', '/session/<garden>', { shoe: 42 }),
  patch('change an unknown one', `/session/${unknown}`, { title: 'X' }),
  get('list after changes', '/session'),
  get('to do of garden', '/session/<garden>/todo'),
  get('changes of garden', '/session/<garden>/diff'),
]

const messages = [
  get('messages of garden', '/session/<garden>/message'),
  post('first message', '/session/<garden>/message', text('Sow beans'), {
    gives: { beans: '/info/id', part: '/parts/0/id' },
  }),
  post('second message', '/session/<garden>/message', text('Water them'), { gives: { water: '/info/id' } }),
  post('message without parts', '/session/<garden>/message', { noReply: true }),
  post('message with a wrong part', '/session/<garden>/message', { noReply: true, parts: [{ type: 'shoe' }] }),
  post('message with a part without text', '/session/<garden>/message', { noReply: true, parts: [{ type: 'text' }] }),
  post('message in an unknown one', `/session/${unknown}/message`, text('X')),
  get('messages of garden after two', '/session/<garden>/message'),
  get('last message', '/session/<garden>/message', { query: { limit: '1' } }),
  get('read a message', '/session/<garden>/message/<beans>'),
  get('read an unknown message', '/session/<garden>/message/msg_0000000000000000000000000000'),
  get('read a message by a wrong key', '/session/<garden>/message/abc'),
  patch('change a part', '/session/<garden>/message/<beans>/part/<part>', {
    ...{ id: '<part>', sessionID: '<garden>', messageID: '<beans>', type: 'text', text: 'Sow peas' },
  }),
  patch('change a part to another', '/session/<garden>/message/<beans>/part/<part>', {
    ...{ id: 'prt_other', sessionID: '<garden>', messageID: '<beans>', type: 'text', text: 'Sow peas' },
  }),
  get('read the message after a change', '/session/<garden>/message/<beans>'),
  remove('delete a part', '/session/<garden>/message/<beans>/part/<part>'),
  get('read the message after a deletion', '/session/<garden>/message/<beans>'),
  post('copy garden', '/session/<garden>/fork', {}, { gives: { copy: '/id' } }),
  get('read the copy', '/session/<copy>'),
  post('stop garden', '/session/<garden>/abort', undefined),
  remove('delete kitchen', '/session/<kitchen>'),
  remove('delete kitchen again', '/session/<kitchen>'),
  get('read kitchen after its deletion', '/session/<kitchen>'),
  remove('delete garden with its child', '/session/<garden>'),
  get('read attic after the deletion of garden', '/session/<attic>'),
  get('messages of garden after its deletion', '/session/<garden>/message'),
  remove('delete by a wrong key', '/session/abc'),
  get('list after deletions', '/session'),
]

const others = [
  put('set a key', '/auth/example', { type: 'api', key: 'my-key' }),
  put('set a key of a wrong type', '/auth/example', { type: 'shoe' }),
  remove('remove a key', '/auth/example'),
  remove('remove a key again', '/auth/example'),
  get('read the configuration', '/global/config'),
  patch('change the configuration', '/global/config', { username: 'ada', share: 'disabled' }),
  patch('change the configuration to a wrong value', '/global/config', { share: 'perhaps' }),
  patch('change an unknown setting', '/global/config', { shoe: 42 }),
  get('read the configuration after changes', '/global/config'),
  get('current project', '/project/current'),
  patch('name a project', '/project/<project>', { name: 'Home' }),
  patch('change an unknown project', '/project/none', { name: 'X' }),
  get('list projects after a change', '/project'),
  post('write to the log', '/log', { service: 'bench', level: 'info', message: 'hello' }),
  post('write to the log with a wrong level', '/log', { service: 'bench', level: 'loud', message: 'hello' }),
  post('answer an unknown permission', '/permission/per_none/reply', { reply: 'once' }),
  post('answer a permission wrongly', '/permission/per_none/reply', { reply: 'perhaps' }),
  post('reject an unknown question', '/question/que_none/reject', undefined),
  get('list files', '/file', { query: { path: '' } }),
  get('read a file', '/file/content', { query: { path: 'notes.txt' } }),
  get('list files without a path', '/file'),
  get('read no file', '/file/content', { query: { path: 'none.txt' } }),
]

export const opencode = {
  package: platform,
  document: '/doc',
  command({ installed, folder, port }) {
    const work = join(folder, 'work')
    mkdirSync(work)
    writeFileSync(join(work, 'notes.txt'), 'Buy seeds\n')
    return {
      node: join(installed, 'bin/opencode'),
      args: ['serve', '--hostname', '127.0.0.1', '--port', String(port)],
      cwd: work,
      env: {
        HOME: folder,
        ...Object.fromEntries(
          ['DATA', 'CONFIG', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, join(folder, kind)]),
        ),
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        ...{ OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
      },
    }
  },
  credentials: {},
  requests: [...before, ...sessions, ...messages, ...others],
}
