/** Bundles the inspector: one page, one script, one style. */
import { readdir, readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const folder = new URL('../src/inspector/', import.meta.url)

/** @param plugins further plugins, such as the one that collects licences */
export async function bundleInspector(plugins = []) {
  const bundle = await rolldown({
    input: new URL('main.tsx', folder).pathname,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false, comments: false })
  return {
    page: await readFile(new URL('index.html', folder), 'utf8'),
    script: output[0].code,
    style: await collectStyle(),
  }
}

/** All style sheets in the order of their names, without comments and indentation. */
async function collectStyle() {
  const styles = new URL('styles/', folder)
  const names = (await readdir(styles)).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, styles), 'utf8')))
  return texts
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
    .trim()
}
