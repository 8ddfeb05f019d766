/**
 * Sends a fixed number of requests to two servers, in alternating blocks, and prints the count of each status. Both get
 * the same number of requests whatever their speed, so that creation, warm-up and garbage collection are equal. Other
 * load on the machine varies within a second and affects both. Responses are hardly parsed, to keep the servers busy.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const { targets, connections, count } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const block = 500

const opened = await Promise.all(targets.map(open))
for (let round = 0; round < count / block; round++) {
  for (const target of round % 2 === 0 ? opened : opened.toReversed()) await sendBlock(target)
}
console.log(JSON.stringify(opened.map(({ statuses }) => statuses)))
process.exit()

async function open({ port, requests }) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => openOne(port)))
  return { texts: requests.map((request) => toText(port, request)), sockets, statuses: {}, sent: 0 }
}

function openOne(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true)
    socket.on('connect', () => resolve(socket)).on('error', reject)
  })
}

function toText(port, { method, path, headers, body = '' }) {
  const length = body && { 'Content-Length': Buffer.byteLength(body) }
  const fields = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, ...length })
  return [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')
}

async function sendBlock(target) {
  const end = target.sent + block
  await Promise.all(target.sockets.map((socket) => sendInTurn(target, socket, end)))
}

/** Sends requests over one connection, until all connections together have sent enough. */
function sendInTurn(target, socket, end) {
  return new Promise((resolve, reject) => {
    const broke = () => reject(new Error('A connection was closed'))
    let held = ''
    const next = () => {
      if (target.sent < end) return socket.write(target.texts[target.sent++ % target.texts.length])
      socket.off('data', take).off('close', broke)
      resolve()
    }
    const take = (chunk) => {
      held += chunk
      if (!isWhole(held)) return
      const status = held.slice(9, 12)
      target.statuses[status] = (target.statuses[status] ?? 0) + 1
      held = ''
      next()
    }
    socket.on('data', take).on('close', broke)
    next()
  })
}

function isWhole(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length === end + 4 + Number(length)
}
