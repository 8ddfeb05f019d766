// Writes cases/ and cases.json from source/*.txt.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const prelude = {
  base: `const base = process.env.PETSTORE_BASE_URL\n`,
  key: `const key = process.env.PETSTORE_API_KEY\n`,
  call: `
async function call(method, path, { headers, body, expect = 200 } = {}) {
  const answer = await fetch(base + path, { method, headers, body })
  if (answer.status !== expect) throw new Error(\`\${method} \${path}: \${answer.status} \${await answer.text()}\`)
  return answer
}
`,
  send: `
const send = (method, path, value, expect) =>
  call(method, path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value), expect })
`,
}

const root = new URL('./', import.meta.url)
const list = []
for (const file of readdirSync(new URL('source', root)).sort()) {
  for (const text of readFileSync(new URL(`source/${file}`, root), 'utf8')
    .split(/^=== /m)
    .slice(1)) {
    const [head, ...rest] = text.split(/^--- /m)
    const [id, ...lines] = head.trim().split('\n')
    const meta = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    )
    const parts = Object.fromEntries(
      rest.map((part) => [part.slice(0, part.indexOf('\n')).trim(), part.slice(part.indexOf('\n') + 1)]),
    )
    const from = parts.from.replace(/\n$/, '')
    const to = parts.to.replace(/\n$/, '')
    if (parts.doc.split(from).length !== 2) throw new Error(`${id}: ${parts.doc.split(from).length - 1} places to edit`)
    const folder = new URL(`cases/${id}/`, root)
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL('old.yaml', folder), parts.doc)
    writeFileSync(
      new URL('new.yaml', folder),
      parts.doc.replace(from, () => to),
    )
    for (const name of ['affected', 'unaffected']) {
      const code = parts[name]
      if (!code) continue
      const imports = code.match(/^import .*\n/gm)?.join('') ?? ''
      const [reads, ...body] = code.replace(/^import .*\n/gm, '').split('\n')
      if (!reads.startsWith('// reads: ')) throw new Error(`${id}: no reads`)
      const program =
        `${reads}\n${imports}${prelude.base}${/\bkey\b/.test(body.join('\n')) ? prelude.key : ''}` +
        (/\b(call|send)\(/.test(code) ? prelude.call : '') +
        (/\bsend\(/.test(code) ? prelude.send : '') +
        `\n${body.join('\n')}`
      writeFileSync(
        new URL(`${name}.mjs`, folder),
        /\b(call|send)\(/.test(code) ? program : program.replace(prelude.base, ''),
      )
    }
    list.push(
      meta.harmless
        ? { id, kind: meta.kind, edit: meta.edit, whyAffected: null, whyUnaffected: meta.harmless, expect: 'none' }
        : {
            id,
            kind: meta.kind,
            edit: meta.edit,
            whyAffected: meta.whyA,
            whyUnaffected: meta.noU ? null : meta.whyU,
            ...(meta.noU ? { noUnaffected: meta.noU } : { unaffectedUses: meta.use }),
            expect: 'yours',
          },
    )
  }
}
writeFileSync(new URL('cases.json', root), `${JSON.stringify(list, null, 2)}\n`)
console.log(`${list.length} cases, ${list.filter((one) => one.expect === 'none').length} of them harmless`)
