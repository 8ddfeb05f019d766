/** Collects types of the sources in one text, for files that are written where the sources are not. */
import { readFile } from 'node:fs/promises'
import ts from 'typescript'

const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, isolatedDeclarations: true }

/**
 * Returns the declarations of these types and of all types that they refer to, after the imports from packages.
 * @param entry URL of the module that declares the types
 * @throws for two types of the same name
 */
export async function collectTypes(entry, names) {
  const modules = new Map()
  const collected = new Map()
  const packages = new Map()

  async function collect(url, name) {
    const { href } = url
    if (!modules.has(href)) modules.set(href, await readModule(url))
    const { declarations, imports } = modules.get(href)
    const imported = imports.get(name)
    if (imported) return collectImported(url, imported)
    const declaration = declarations.get(name)
    if (!declaration) return
    const known = collected.get(name)
    if (known && known.href !== href) throw new Error(`Two types have the name ${name}: in ${known.href} and ${href}`)
    if (known) return
    collected.set(name, { href, text: toText(declaration) })
    for (const used of namesIn(declaration)) await collect(url, used)
  }

  async function collectImported(url, { from, name }) {
    if (from.startsWith('.')) return collect(new URL(from.replace(/\.js$/, '.ts'), url), name)
    packages.set(from, new Set([...(packages.get(from) ?? []), name]))
  }

  for (const name of names) await collect(entry, name)
  const imports = [...packages].map(([from, all]) => `import type { ${[...all].sort().join(', ')} } from '${from}'\n`)
  return [...imports, ...[...collected.values()].map(({ text }) => text)].join('\n')
}

/** The declarations of a module, and the names that it imports. */
async function readModule(url) {
  const { outputText } = ts.transpileDeclaration(await readFile(url, 'utf8'), {
    fileName: url.pathname,
    compilerOptions,
  })
  const declarations = new Map()
  const imports = new Map()
  for (const statement of ts.createSourceFile('module.d.ts', outputText, ts.ScriptTarget.Latest, true).statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const { name, propertyName } of statement.importClause?.namedBindings?.elements ?? []) {
        imports.set(name.text, { from: statement.moduleSpecifier.text, name: (propertyName ?? name).text })
      }
    } else if (statement.name) declarations.set(statement.name.text, statement)
  }
  return { declarations, imports }
}

/** Names of the types that a declaration refers to. */
function namesIn(declaration) {
  const names = new Set()
  const visit = (node) => {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined
    if (name && ts.isIdentifier(name)) names.add(name.text)
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return names
}

/** With its comment, and exported. The comment of the module comes before the first declaration as well. */
function toText(declaration) {
  const comment = ts.getJSDocCommentsAndTags(declaration).at(-1)?.getText() ?? ''
  const code = declaration.getText()
  const text = code.slice(code.startsWith('/**') ? code.indexOf('*/') + 2 : 0).trim()
  return `${comment === '' ? '' : `${comment}\n`}${text.startsWith('export ') ? text : `export ${text}`}\n`
}
