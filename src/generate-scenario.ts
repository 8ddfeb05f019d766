import type { CompiledDocument } from './compile-document.js'
import type { Scenario } from './state/scenario.js'
export async function generateScenario(_: {
  compiled?: CompiledDocument | undefined
  records?: number | undefined
  seed?: number | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}): Promise<Scenario> {
  return {}
}
