/** Loads parts of the engine when one of their functions is first called. */
import { readFile } from 'node:fs/promises'

const virtual = '\0late:'

/**
 * A plugin that gives other modules functions in place of those of a part. They throw until it is loaded: see
 * `src/entries/late-part.ts`. `late:<name>` is a part, and `late:all/<name>` its functions.
 * @param parts the modules of each part, in `src`. Others may import only their functions
 */
export function loadedLate(parts, root) {
  const find = (path) => new URL(`src/${path}.ts`, root).pathname
  const partOf = new Map(Object.entries(parts).flatMap(([name, paths]) => paths.map((path) => [find(path), name])))
  const isOfPart = new RegExp(`^${virtual}`)
  return {
    name: 'loaded-late',
    async resolveId(id, importer, options) {
      if (id.startsWith('late:')) return `\0${id}`
      if (importer === undefined || importer.startsWith(virtual)) return null
      const found = await this.resolve(id, importer, { ...options, skipSelf: true })
      const part = found && partOf.get(found.id)
      return part === undefined || partOf.get(importer) === part ? found : `${virtual}${part}:${found.id}`
    },
    load: {
      filter: { id: isOfPart },
      async handler(id) {
        const [, isAll, name, file] = /^late:(all\/)?([^:]+):?(.*)$/.exec(id.slice(1))
        if (isAll) return parts[name].map((path) => `export * from '${find(path)}'\n`).join('')
        if (file === '') {
          const load = `() => import('late:all/${name}')`
          return `import { LatePart } from '${find('entries/late-part')}'\nexport const part = new LatePart('${name}', ${load})\n`
        }
        const names = [...(await readFile(file, 'utf8')).matchAll(/^export function (\w+)/gm)].map(([, each]) => each)
        const functions = names.map((each) => `export const ${each} = (...input) => part.get().${each}(...input)\n`)
        return `import { part } from 'late:${name}'\n${functions.join('')}`
      },
    },
  }
}
