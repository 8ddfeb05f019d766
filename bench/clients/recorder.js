/** Stands between a library and the server that is measured, and keeps what they say to each other. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'

/**
 * @param port of the server that is measured
 * @returns the port to call instead, the exchanges so far, and `close`
 */
export async function startRecorder(port) {
  const exchanges = []
  const server = createServer(async (incoming, outgoing) => {
    const sent = await collect(incoming)
    const { method, url: path, headers } = incoming
    const exchange = { method, path, headers, sent, startedMs: performance.now() }
    exchanges.push(exchange)
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
      const received = await collect(response).catch(() => Buffer.alloc(0))
      const { statusCode: status, statusMessage, headers: answered, rawHeaders } = response
      Object.assign(exchange, { status, answered, received, tookMs: performance.now() - exchange.startedMs })
      const { 'transfer-encoding': _, ...kept } = answered
      const isBodiless = method === 'HEAD' || status === 204 || status === 304
      outgoing.writeHead(
        status,
        statusMessage,
        isBodiless ? rawHeaders : { ...kept, 'content-length': received.length },
      )
      outgoing.end(received)
    })
    forwarded.on('error', (error) => {
      exchange.failure ??= error.message
      outgoing.destroy()
    })
    forwarded.end(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: server.address().port, exchanges, close }
}

async function collect(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
