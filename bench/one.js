/** Runs one benchmark in its own process, so that benchmarks do not affect each other. Sends the result to run.js. */
import { WrongUse } from './wrong-use.js'

const [, , name, options] = process.argv
const { default: bench } = await import(`./${name}.js`)
const say = (line) => console.error(line)
let message
try {
  message = { result: await bench({ ...JSON.parse(options), say }) }
} catch (error) {
  if (!(error instanceof WrongUse)) console.error(error)
  message = error instanceof WrongUse ? { wrongUse: error.message } : { failure: error.message }
}
// Libraries of peers may keep handles open.
process.send(message, () => process.exit())
