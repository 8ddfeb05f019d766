/** The limit: `node:http` with a constant body and nothing else. */
import { createServer } from 'node:http'

const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: 'Rex', categoryId: 1, status: 'sold' })))
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
createServer((_, response) => response.writeHead(200, headers).end(body)).listen(Number(process.argv[2]), '127.0.0.1')
