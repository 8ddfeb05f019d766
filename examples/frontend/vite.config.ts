import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

/** The browser that the registry ships, which is for Linux; elsewhere the one that playwright has installed. */
async function findBrowser() {
  if (process.platform !== 'linux') return {}
  const executablePath = await sparticuz.executablePath()
  return existsSync(executablePath)
    ? { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] } }
    : {}
}

export default defineConfig(async ({ command, mode }) => ({
  // Where MSW has its mockServiceWorker.js; a build for production does not want it.
  publicDir: command === 'serve' && 'node_modules/msw/lib',
  build: { target: 'es2022' },
  optimizeDeps: { include: ['msw', 'msw/browser', 'openapi-fetch', 'petstore-sandbox/msw', 'petstore-sandbox/vitest'] },
  test: {
    include: ['test/*.test.ts'],
    browser:
      mode === 'test'
        ? {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright(await findBrowser()),
            instances: [{ browser: 'chromium' }],
          }
        : {},
  },
}))
