/** The test suite of a reader who calls the Pet Store: one request that keeps the contract. */
const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
const { status } = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
if (status !== 200) throw new Error(`The answer was ${status}`)
