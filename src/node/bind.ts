/** Binds a server to its port. */
import type { Server } from 'node:http'
import { SandboxError } from '../contract/sandbox-error.js'

/** @throws SandboxError `PORT_IN_USE` or `CANNOT_LISTEN` */
export function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toSandboxError(error, port, host)))
    server.listen(port, host, resolve)
  })
}

function toSandboxError(error: NodeJS.ErrnoException, port: number, host: string): SandboxError {
  if (error.code === 'EADDRINUSE') {
    return new SandboxError(
      'PORT_IN_USE',
      `Port ${port} on ${host} is in use. Stop what listens there, or choose another port: --port ${port < 65535 ? port + 1 : port - 1}, or --port 0 for any free one`,
    )
  }
  const why = { EACCES: 'this user may not use that port', EADDRNOTAVAIL: 'this machine has no such address' }[
    error.code ?? ''
  ]
  return new SandboxError('CANNOT_LISTEN', `Failed to listen on ${host}, port ${port}: ${why ?? error.message}`)
}
