/** The test suite of a reader: one request that keeps the contract, of the Pet Store or of the path that is given. */
const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
const headers = process.argv[2] === undefined ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key }
const { status } = await fetch(`${url}${process.argv[2] ?? '/pets'}`, { headers })
if (status !== 200) throw new Error(`The answer was ${status}`)
