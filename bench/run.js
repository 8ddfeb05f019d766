/**
 * Measures the built program: times as ratios to a peer in the same run, since machines differ, and the same one does
 * from minute to minute; finds as counts. `npm run bench` runs everything, `npm run bench start` only what is named,
 * `npm run bench planted -- --tools check,run --markdown` with options.
 */
import { parseArgs } from 'node:util'

const all = ['start', 'msw', 'planted']
const options = { tools: { type: 'string' }, markdown: { type: 'boolean' } }
const { positionals: wanted, values } = parseArgs({ options, allowPositionals: true })
const unknown = wanted.find((name) => !all.includes(name))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}"; there is ${all.join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) await (await import(`./${name}.js`)).default(values)
