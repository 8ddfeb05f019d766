/** A server of Redis on a free port of this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** @param settings such as `--appendonly yes`. Nothing else is written to the folder */
export async function startRedis(folder, settings = []) {
  const port = await freePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  let child
  let ended
  const start = async () => {
    child = spawn('redis-server', [...own, ...settings], { stdio: 'ignore' })
    ended = once(child, 'exit')
    while (!(await ask('PING')).startsWith('+PONG')) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
    }
  }
  const end = async (signal) => {
    child.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    async restart(signal) {
      await end(signal)
      await start()
    },
    /** Closes the connections of all others. */
    cut: () => ask('CLIENT KILL TYPE normal'),
    end,
  }

  /** Sends one command, and returns the answer, or an empty text if there is none. */
  function ask(command) {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
        socket.end()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(answer))
    })
  }
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
