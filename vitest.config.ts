import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './test/support/find-browser.ts'

const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 }
const patience = { testTimeout: 300_000, hookTimeout: 300_000 }
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
        screenshotFailures: false,
        provider,
        instances: [{ browser: 'chromium' as const }],
      },
      ...timeouts,
    },
  }
}

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'behaviour', include: ['test/*.test.ts'], ...timeouts } },
      // MSW 3 needs Node.js 22.12: the matrix runs its projects, on such a one.
      {
        resolve: { alias: [msw3] },
        test: { name: 'msw-3', include: ['test/msw.test.ts'], ...timeouts },
      },
      { test: { name: 'package', include: ['test/package/*.test.ts'], ...patience } },
      { test: { name: 'matrix', include: ['test/matrix/*.test.ts'], ...patience } },
      inBrowser('browser', 'msw'),
      { ...inBrowser('browser-msw-3', 'msw-3'), resolve: { alias: [msw3] } },
    ],
  },
})
