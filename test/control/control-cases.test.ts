/** Faults, clocks, copies, seeds and waiting do the same by the control API as by functions: the same cases. */
import { describe, it } from 'vitest'
import { faultCases } from '../cases/faults.js'
import { controlled } from '../support/controlled.js'
import type { Transport } from '../support/raw-request.js'
import { runCase } from '../support/run-case.js'
import { openHttp } from '../support/transports.js'

/** HTTP, with each function of the sandbox as a request to its control API. */
const remote: Transport = {
  name: 'control API',
  form: 'raw',
  async open(options) {
    const connection = await openHttp(options)
    return { ...connection, sandbox: controlled(connection.sandbox, connection.url) }
  },
}

/** Its messages for wrong input are those of its document, which `control-api.test.ts` has. */
const hasOwnMessages = /^(wrong faults are refused|wrong filters)/

describe('by the control API', () => {
  for (const each of faultCases) if (!hasOwnMessages.test(each.name)) it(each.name, () => runCase(remote, each))
})
