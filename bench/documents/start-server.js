/** Starts the server that is measured, with a document. */
import { launch } from '../servers/launch.js'
import { createClient } from './client.js'

const answerLimitMs = 10_000
const startLimitMs = 60_000

/**
 * @param server one of `servers`
 * @returns what `launch` returns, `client`, and `baseOf`, which returns the path at which a server of the document is
 */
export async function startServer(server, { id, file, against, slot, slots, read, operations }) {
  const { node, args } = await server.command({ file, against, document: read.document })
  const launched = await launch({
    id,
    command: (port) => ({ node, args: args(port) }),
    isPinned: false,
    patienceMs: startLimitMs,
    pollMs: 5,
    // Linux gives only odd ports, or only even ones.
    isOwnPort: (port) => (port >> 1) % slots === slot,
  })
  for (let left = 4000; server.readyLine && !launched.output().includes(server.readyLine) && left > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const baseOf = server.toBases({ document: read.document, operations, output: launched.output() })
  return { ...launched, baseOf, client: createClient(launched.port, answerLimitMs) }
}
