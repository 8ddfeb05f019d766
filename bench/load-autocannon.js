/** Runs autocannon as a program of its own, which is given a file of options and prints what wrk's script prints. */
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const { port, requests, connections, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let begun = 0
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  requests,
  // Each connection would begin with the first of them.
  setupClient(client) {
    const first = Math.floor((begun++ * requests.length) / connections)
    if (first > 0) client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
  },
})
const answered = result['2xx'] + result['3xx'] + result['4xx'] + result['5xx']
console.log(
  JSON.stringify({
    answered,
    refused: result['4xx'] + result['5xx'],
    errors: result.errors,
    perSecond: answered / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
)
