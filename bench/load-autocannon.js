/** Runs autocannon as a program of its own, which takes one JSON argument and prints what wrk's script prints. */
import autocannon from 'autocannon'

const { port, requests, connections, seconds } = JSON.parse(process.argv[2])
const result = await autocannon({ url: `http://127.0.0.1:${port}`, connections, duration: seconds, requests })
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
