/** One benchmark in a process of its own, so that none measures what another left behind. Its result goes to run.js. */
const [, , name, options] = process.argv
const { default: bench } = await import(`./${name}.js`)
const say = (line) => console.error(line)
let message
try {
  message = { result: await bench({ ...JSON.parse(options), say }) }
} catch (error) {
  console.error(error)
  message = { failure: error.message }
}
// What a library of a peer keeps open is of no more use.
process.send(message, () => process.exit())
