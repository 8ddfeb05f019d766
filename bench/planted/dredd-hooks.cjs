/** Hooks that change requests to get error responses, as Dredd's documentation recommends. */
const { beforeEach } = require('hooks')

beforeEach((transaction) => {
  const { request, expected } = transaction
  if (expected.statusCode !== '401') request.headers.Authorization = `Bearer ${process.env.PLANTED_KEY}`
  if (expected.statusCode === '400') request.body = '{"categoryId":3}'
  if (expected.statusCode === '404') transaction.fullPath = transaction.fullPath.replace(/[^/]+$/, '999999')
})
