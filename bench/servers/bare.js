/**
 * The lower limit: a `node:http` server that sends one constant answer. Optionally it reads and parses the body, and
 * writes a constant line to a log in batches, as ours does.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , port, file] = process.argv
const { status, headers, body, readsBody, logLine } = JSON.parse(readFileSync(file, 'utf8'))
let held = ''

createServer((incoming, outgoing) => {
  if (!readsBody) return answer(outgoing)
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    answer(outgoing)
  })
}).listen(Number(port), '127.0.0.1')

function answer(outgoing) {
  outgoing.writeHead(status, headers).end(body)
  if (logLine === undefined) return
  if (held === '') setTimeout(flush, 50)
  held += logLine
}

function flush() {
  process.stderr.write(held)
  held = ''
}
