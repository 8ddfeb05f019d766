/** Which Chromium the tests start. */
import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'

/** What playwright wants to know of it. */
export interface BrowserOptions {
  launchOptions?: { executablePath: string; args: string[] }
}

/** The browser that the registry ships, which is for Linux; elsewhere the one that playwright has installed. */
export async function findBrowser(): Promise<BrowserOptions> {
  if (process.platform !== 'linux') return {}
  const executablePath = await sparticuz.executablePath()
  return existsSync(executablePath)
    ? { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] } }
    : {}
}
