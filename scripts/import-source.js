/** Imports TypeScript from `src/` before anything is built. */
import { rm } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const root = new URL('../', import.meta.url)

/** Bundles a module to a temporary file and imports it. */
export async function importSource(path) {
  const program = await rolldown({
    input: new URL(path, root).pathname,
    platform: 'node',
    external: ['openapi-typescript'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const file = new URL(`src/generated/${process.pid}-${path.replaceAll('/', '-')}.mjs`, root)
  await program.write({ file: file.pathname, format: 'esm', codeSplitting: false })
  return import(file.href).finally(() => rm(file))
}
