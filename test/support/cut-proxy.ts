/** A TCP proxy that cuts connections at chosen places, and can deliver what a client sent after its connection is lost. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as toSocket } from 'node:net'

/**
 * What happens to a part that a client sends: `cut before` the server gets it, `cut after` the server has answered, `hold`
 * it and cut: the server gets it with `release`; `swallow` it without a cut.
 */
export type Fate = 'forward' | 'cut before' | 'cut after' | 'hold' | 'swallow'

export interface CutProxy {
  port: number
  /** Decides about each part. */
  fateOf: (sent: string) => Fate
  /** Delivers all parts that were held, and waits for the answers of the server. */
  release(): Promise<void>
  close(): Promise<void>
}

export async function startCutProxy(serverPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let held: { server: Socket; part: Buffer }[] = []

  const listener = createServer((client) => {
    const server = toSocket(serverPort, '127.0.0.1')
    let fate: Fate = 'forward'
    const cut = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => fate !== 'hold' && server.destroy())
    server.on('close', () => client.destroy())
    server.on('data', (answer) => {
      if (fate === 'cut after') cut()
      else client.write(answer)
    })
    client.on('data', (part) => {
      // Answers to earlier parts may still come.
      if (fate !== 'forward') return
      fate = proxy.fateOf(part.toString())
      if (fate === 'forward' || fate === 'cut after') server.write(part)
      if (fate === 'cut before') cut()
      if (fate === 'hold') {
        held.push({ server, part })
        client.destroy()
      }
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  const proxy: CutProxy = {
    port: (listener.address() as AddressInfo).port,
    fateOf: () => 'forward',
    async release() {
      const released = held
      held = []
      for (const { server, part } of released) {
        server.removeAllListeners('data')
        const answered = once(server, 'data')
        server.write(part)
        await answered
        server.destroy()
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
  return proxy
}
