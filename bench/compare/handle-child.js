/** `sandbox.handle` of one build in a process of its own: measures a row each time that it is told its name. */
import { requests, timeOfCall, toRequest } from '../handle-requests.js'

const calls = 5_000

const { createSandbox } = await import(process.argv[2])
// What is immediate in one build may be a promise in another.
const sandbox = await createSandbox()
const { server, mount } = await sandbox.locator.byMount('/v1/pets')

process.on('message', async (row) => {
  const create = () => toRequest({ server, mount, ...requests[row] })
  await sandbox.reset()
  const { status } = await sandbox.handle(create())
  process.send({ status, time: await timeOfCall(sandbox.handle, create, calls) })
})
