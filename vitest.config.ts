import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './test/support/find-browser.ts'

/** @see .ci/run */
const retry = Number(process.env['TEST_RETRIES'] ?? 0)
/** Limits find what hangs, and not what is slow: a machine may be busy with other work. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 240_000 } },
  retry,
}
/** What all projects that run in Node.js workers share. */
const behaviour = {
  // Files share a worker's modules: loading Prism, MSW and the rest for each file took minutes.
  isolate: false,
  // Few objects outlive a test: with more room for new ones, fewer are copied. Most functions run too rarely to be worth their
  // optimization, which was a quarter of the processor time: with a larger budget, it begins later.
  execArgv: ['--max-semi-space-size=64', '--interrupt-budget=1000000'],
  ...patience,
}
/** Folders of tests that are commands of their own, such as `npm run test:cli`. */
const commands = [
  ...['cli', 'checks', 'docs', 'hostile', 'inspector', 'package', 'documents', 'clients', 'recipes', 'stores', 'redis'],
  ...['matrix', 'browser'],
].map((folder) => `test/${folder}/*.test.ts`)
const ownTests = ['test/*/*.test.ts']
/** Tests that start programs, servers or browsers, read what was built, or take long. */
const notQuick = [
  'test/bench/bench-truth.test.ts',
  'test/behaviour/corrections.test.ts',
  'test/control/*.test.ts',
  'test/credentials/hidden-credentials.test.ts',
  'test/document/overlays.test.ts',
  'test/effects/uploads.test.ts',
  'test/entries/size.test.ts',
  'test/generate/generated-data*.test.ts',
  'test/http/*http.test.ts',
  'test/http/broken-off.test.ts',
  'test/msw/{msw,csp}.test.ts',
  'test/node/server*.test.ts',
  'test/petstore/behaviour-http.test.ts',
  'test/requests/path-users.test.ts',
  'test/webhooks/server-webhooks.test.ts',
  'test/worlds/rehearsal.test.ts',
]
/** Each entry of the package, as source; `npm ci` or `npm run build` makes what is generated in it. */
const entries = {
  'petstore-sandbox/msw': 'msw',
  'petstore-sandbox/node': 'node',
  'petstore-sandbox/vitest': 'vitest',
  'petstore-sandbox/testing': 'testing',
  'petstore-sandbox/store-tests': 'store-tests',
}
const source = Object.entries({ ...entries, 'petstore-sandbox': 'index' }).map(([name, entry]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(`src/entries/${entry}.ts`, import.meta.url)),
}))
const msw3 = { find: /^msw(?=$|\/)/, replacement: 'msw-3' }
const provider = playwright(await findBrowser())

/** The tests in a real Chromium, with a version of MSW. */
function inBrowser(name: string, msw: string) {
  return {
    // Here lies the service worker.
    publicDir: fileURLToPath(new URL(`node_modules/${msw}/lib`, import.meta.url)),
    optimizeDeps: { include: [msw, `${msw}/browser`] },
    test: {
      name,
      include: ['test/browser/*.test.ts'],
      globalSetup: ['test/browser/http-answers.ts'],
      browser: {
        enabled: true,
        headless: true,
        connectTimeout: 300_000,
        screenshotFailures: false,
        provider,
        instances: [{ browser: 'chromium' as const }],
      },
      ...patience,
    },
  }
}

export default defineConfig({
  test: {
    // Two more than there are processors, because half of the time a test waits for a program that it has started.
    maxWorkers: availableParallelism() + 2,
    // A file that has not changed is not transformed again.
    experimental: { fsModuleCache: true },
    projects: [
      { test: { name: 'behaviour', ...behaviour, include: ownTests, exclude: commands } },
      { test: { name: 'cli', ...behaviour, include: ['test/cli/*.test.ts'] } },
      { test: { name: 'checks', ...behaviour, include: ['test/checks/*.test.ts'] } },
      { test: { name: 'docs', ...behaviour, include: ['test/docs/*.test.ts'] } },
      { test: { name: 'hostile', ...behaviour, include: ['test/hostile/*.test.ts'] } },
      { test: { name: 'inspector', ...behaviour, include: ['test/inspector/*.test.ts'] } },
      {
        resolve: { alias: source },
        test: {
          name: 'quick',
          ...behaviour,
          include: ownTests,
          exclude: [...commands, ...notQuick],
          // These wait for nothing: they leave HTTP out, and try a third of the cases of each property.
          env: { IN_PROCESS: 'true', PROPERTY_FACTOR: '0.3' },
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      // MSW 3 needs Node.js 22.12: the matrix runs its projects, on such a one.
      {
        resolve: { alias: [msw3] },
        test: { name: 'msw-3', include: ['test/msw/msw.test.ts'], ...patience },
      },
      { test: { name: 'package', include: ['test/package/*.test.ts'], ...patience } },
      { test: { name: 'documents', include: ['test/documents/*.test.ts'], ...patience } },
      { test: { name: 'clients', include: ['test/clients/*.test.ts'], ...patience } },
      { test: { name: 'recipes', include: ['test/recipes/*.test.ts'], ...patience } },
      { test: { name: 'stores', include: ['test/stores/*.test.ts', 'test/redis/*.test.ts'], ...patience } },
      { test: { name: 'matrix', include: ['test/matrix/*.test.ts'], ...patience } },
      inBrowser('browser', 'msw'),
      { ...inBrowser('browser-msw-3', 'msw-3'), resolve: { alias: [msw3] } },
    ],
  },
})
