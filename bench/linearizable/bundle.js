/** Bundles the programs of the checker with the sources of this checkout. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** @returns the paths of the modules in the folder, by name */
export async function bundle(folder, names) {
  const input = Object.fromEntries(names.map((name) => [name, new URL(`${name}.js`, import.meta.url).pathname]))
  const program = await rolldown({
    input,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await program.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await program.close()
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)]))
}
