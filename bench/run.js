/**
 * Measures the built program, as ratios to a peer in the same run: machines differ, and the same one does from minute
 * to minute. `npm run bench` runs everything, `npm run bench start` only what is named.
 */
const all = ['start', 'msw']
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !all.includes(name))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}"; there is ${all.join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) await (await import(`./${name}.js`)).default()
