/**
 * The web interface of Homebridge: a NestJS application on Fastify, with class-validator and @nestjs/swagger. It keeps users, settings
 * and backups in files. What restarts anything, or asks other hosts, is left out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { get, patch, post, put, remove } from './requests.js'

const bridge = '0E:11:22:33:44:55'
const admin = { name: 'Ada', username: 'ada', admin: true, password: 'first-secret' }
const as = (name, requests) => requests.map((request) => ({ as: name, ...request }))

function writeConfig(folder, port) {
  const config = {
    bridge: { name: 'Homebridge', username: bridge, port: 51826, pin: '031-45-154' },
    accessories: [],
    platforms: [{ platform: 'config', name: 'Config', port, host: '127.0.0.1' }],
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
}

const start = [
  get('users without a token', '/api/users', { phase: 'before' }),
  post('login before the setup', '/api/auth/login', { username: 'ada', password: 'first-secret' }, { phase: 'before' }),
  get('token of the setup', '/api/setup-wizard/get-setup-wizard-token', { gives: { setup: '/access_token' } }),
  post(
    'first user without a password',
    '/api/setup-wizard/create-first-user',
    { ...admin, password: undefined },
    { as: 'setup' },
  ),
  post('first user', '/api/setup-wizard/create-first-user', admin, { as: 'setup', gives: { ada: '/id' } }),
  get('token of the setup again', '/api/setup-wizard/get-setup-wizard-token'),
  post('login with a wrong password', '/api/auth/login', { username: 'ada', password: 'other' }),
  post('login without a password', '/api/auth/login', { username: 'ada' }),
  post('login with a number', '/api/auth/login', { username: 5, password: true }),
  post(
    'login',
    '/api/auth/login',
    { username: 'ada', password: 'first-secret' },
    { gives: { token: '/access_token' } },
  ),
  get('check without a token', '/api/auth/check'),
]

const users = [
  get('check', '/api/auth/check'),
  get('list users', '/api/users'),
  post(
    'create ben',
    '/api/users',
    { name: 'Ben', username: 'ben', admin: false, password: 'secret-ben' },
    { gives: { ben: '/id' } },
  ),
  post(
    'create cleo',
    '/api/users',
    { name: 'Cleo', username: 'cleo', admin: true, password: 'secret-cleo' },
    { gives: { cleo: '/id' } },
  ),
  post('create ben again', '/api/users', { name: 'Ben', username: 'ben', admin: false, password: 'secret-ben' }),
  post('create ben in capitals', '/api/users', { name: 'Ben', username: 'BEN', admin: false, password: 'secret-ben' }),
  post('create without anything', '/api/users', {}),
  post('create with wrong types', '/api/users', { name: 1, username: ['x'], admin: 'perhaps', password: 5 }),
  post('create with an empty name', '/api/users', { name: '', username: '', admin: false, password: '' }),
  post('create with an id', '/api/users', {
    id: 99,
    name: 'Dan',
    username: 'dan',
    admin: false,
    password: 'secret-dan',
  }),
  post(
    'create with an unknown property',
    '/api/users',
    { name: 'Eve', username: 'eve', admin: false, password: 'secret-eve', shoe: 42 },
    { gives: { eve: '/id' } },
  ),
  post('create from broken JSON', '/api/users', '{"name":'),
  post('create from a text', '/api/users', 'name', { sent: { 'content-type': 'text/plain' } }),
  post('create from nothing', '/api/users', '', { sent: { 'content-type': 'application/json' } }),
  get('list users after creations', '/api/users'),
  get('list users with an unknown parameter', '/api/users', { query: { limit: '1', shoe: 'x' } }),
  patch('rename ben', '/api/users/<ben>', { name: 'Benjamin', username: 'ben', admin: false }),
  patch('change the username of ben', '/api/users/<ben>', { name: 'Benjamin', username: 'benny', admin: false }),
  patch('give ben a taken username', '/api/users/<ben>', { name: 'Benjamin', username: 'cleo', admin: false }),
  patch('make ben an admin', '/api/users/<ben>', { name: 'Benjamin', username: 'benny', admin: true }),
  patch('change ben with a wrong type', '/api/users/<ben>', { name: 'Benjamin', username: 'benny', admin: 'yes' }),
  patch('change an unknown user', '/api/users/999', { name: 'X', username: 'x', admin: false }),
  patch('change a user by a text', '/api/users/abc', { name: 'X', username: 'x', admin: false }),
  get('list users after changes', '/api/users'),
  get('read a user, which has no operation', '/api/users/<ben>'),
  remove('delete eve', '/api/users/<eve>'),
  remove('delete eve again', '/api/users/<eve>'),
  remove('delete by a text', '/api/users/abc'),
  get('list users after a deletion', '/api/users'),
  post('change the password, the current one is wrong', '/api/users/change-password', {
    currentPassword: 'x',
    newPassword: 'second-secret',
  }),
  post('change the password without a new one', '/api/users/change-password', { currentPassword: 'first-secret' }),
  post('change the password', '/api/users/change-password', {
    currentPassword: 'first-secret',
    newPassword: 'second-secret',
  }),
  post('login with the old password', '/api/auth/login', { username: 'ada', password: 'first-secret' }),
  post('login with the new password', '/api/auth/login', { username: 'ada', password: 'second-secret' }),
  post('activate a second factor that is not set up', '/api/users/otp/activate', { code: '123456' }),
  post('set up a second factor', '/api/users/otp/setup', undefined),
  post('activate a second factor with a wrong code', '/api/users/otp/activate', { code: '000' }),
  post('deactivate a second factor', '/api/users/otp/deactivate', { password: 'second-secret' }),
]

const settings = [
  get('read the configuration', '/api/config-editor'),
  get('settings of an unknown plugin', '/api/config-editor/plugin/homebridge-none'),
  get('hidden updates', '/api/config-editor/ui/plugins/hide-updates-for'),
  put('hide updates', '/api/config-editor/ui/plugins/hide-updates-for', { body: ['homebridge-a', 'homebridge-b'] }),
  get('hidden updates after a change', '/api/config-editor/ui/plugins/hide-updates-for'),
  put('set the theme', '/api/config-editor/ui', { key: 'theme', value: 'dark-mode-teal' }),
  get('read a bridge', `/api/config-editor/ui/bridges/${bridge}`),
  put('hide an alert', `/api/config-editor/ui/bridges/${bridge}/hide-hap-alert`, { value: true }),
  put('hide an alert with a text', `/api/config-editor/ui/bridges/${bridge}/hide-hap-alert`, { value: 'yes' }),
  put('hide an alert without a value', `/api/config-editor/ui/bridges/${bridge}/hide-hap-alert`, {}),
  get('read the bridge after a change', `/api/config-editor/ui/bridges/${bridge}`),
  put('restart by a schedule', `/api/config-editor/ui/bridges/${bridge}/scheduled-restart-cron`, {
    value: '0 5 * * *',
  }),
  put('restart by no schedule', `/api/config-editor/ui/bridges/${bridge}/scheduled-restart-cron`, { value: null }),
  put('restart by a wrong schedule', `/api/config-editor/ui/bridges/${bridge}/scheduled-restart-cron`, { value: 5 }),
  get('read the bridge after schedules', `/api/config-editor/ui/bridges/${bridge}`),
  get('list backups', '/api/config-editor/backups', { gives: { backup: '/0/id' } }),
  get('read a backup', '/api/config-editor/backups/<backup>'),
  get('read an unknown backup', '/api/config-editor/backups/1'),
  get('read a backup by a text', '/api/config-editor/backups/abc'),
  remove('delete a backup', '/api/config-editor/backups/<backup>'),
  remove('delete all backups', '/api/config-editor/backups'),
  get('list backups after a deletion', '/api/config-editor/backups'),
  get('read the advertiser', '/api/server/mdns-advertiser'),
  put('change the advertiser', '/api/server/mdns-advertiser', { advertiser: 'avahi' }),
  put('change the advertiser to an unknown one', '/api/server/mdns-advertiser', { advertiser: 'none' }),
  get('read the advertiser after a change', '/api/server/mdns-advertiser'),
  put('change the name', '/api/server/name', { name: 'Attic' }),
  get('read the port', '/api/server/port'),
  get('list pairings', '/api/server/pairings'),
  get('read an unknown pairing', '/api/server/pairings/000000000000'),
  get('list cached accessories', '/api/server/cached-accessories'),
  remove('delete an unknown cached accessory', '/api/server/cached-accessories/none', {
    query: { cacheFile: 'cachedAccessories' },
  }),
  get('layout of accessories', '/api/accessories/layout'),
  get('settings of the start', '/api/platform-tools/hb-service/homebridge-startup-settings'),
  get('an unknown path', '/api/shoes'),
  get('list users without rights', '/api/users', { as: 'nobody' }),
]

export const homebridge = {
  package: 'homebridge-config-ui-x',
  document: '/swagger-json',
  command({ installed, folder, port }) {
    writeConfig(folder, port)
    return { args: [join(installed, 'dist/bin/standalone.js'), '-U', folder], cwd: folder }
  },
  credentials: {
    setup: { headers: { authorization: 'Bearer <setup>' }, or: { authorization: 'Bearer any-key' } },
    ada: { headers: { authorization: 'Bearer <token>' }, or: { authorization: 'Bearer any-key' } },
    nobody: { headers: {} },
  },
  requests: [...start, ...as('ada', users), ...as('ada', settings)],
}
