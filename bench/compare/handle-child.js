/** A process for `sandbox.handle` of one build. Measures a row each time that it receives its name. */
import { requests, timeOfCall, toRequest } from '../handle-requests.js'

const calls = 5_000

const { createSandbox } = await import(process.argv[2])
// A result may be a promise in one build only.
const sandbox = await createSandbox()
const { server, mount } = await sandbox.locator.byMount('/v1/pets')

process.on('message', async (row) => {
  const create = () => toRequest({ server, mount, ...requests[row] })
  await sandbox.reset()
  const { status } = await sandbox.handle(create())
  process.send({ status, time: await timeOfCall(sandbox.handle, create, calls) })
})
