/** Finds the Chromium for the tests. */
import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'

/** Launch options for Playwright. */
export interface BrowserOptions {
  launchOptions?: { executablePath: string; args: string[]; timeout: number }
}

/** The browser from the npm registry on Linux; on other systems the one that Playwright has installed. */
export async function findBrowser(): Promise<BrowserOptions> {
  if (process.platform !== 'linux') return {}
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const executablePath = await sparticuz.executablePath()
  return existsSync(executablePath) ? { launchOptions: { executablePath, args, timeout: 240_000 } } : {}
}
