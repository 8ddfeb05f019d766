/** Calls with a key that is not valid. */
import type { ConsumerRule } from '../consumer-rule.js'
import { credentialProblem } from '../sent-credentials.js'

export const invalidCredentials: ConsumerRule = {
  id: 'invalid-credentials',
  severity: 'error',
  looksAt: 'a call with credentials that are not valid',
  help: 'Read the key from the environment variable that the run sets; mark a test of an invalid key with "Sandbox-Expect: 401"',
  isExpectable: true,
  *analyze(call) {
    const problem = credentialProblem(call)
    if (problem?.kind === 'invalid') yield { at: problem.at, message: call.message ?? 'This API key is not valid' }
  },
}
