/** Runs autocannon with a file of options, and prints the same result as the script for wrk. */
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const { port, requests, connections, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let begun = 0
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  requests,
  // Otherwise each connection would start with the first request.
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
