/** Finds what keeps people from using a page: serious faults of accessibility (axe-core), and scrolling sideways. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'

interface AxeViolation {
  id: string
  impact: string
  nodes: { html: string }[]
}

export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const violations = await page.evaluate(async () => {
    const { axe } = window as never as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
    return (await axe.run()).violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes[0]?.html}`)
  })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [
    ...violations.filter((each) => /^(serious|critical)/.test(each)),
    ...(overflow > 0 ? [`${overflow} px too wide`] : []),
  ]
}
