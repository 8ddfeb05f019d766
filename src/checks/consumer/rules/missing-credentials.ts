/** Calls without a key of an operation that requires one. */
import type { ConsumerRule } from '../consumer-rule.js'
import { credentialProblem } from '../sent-credentials.js'

export const missingCredentials: ConsumerRule = {
  id: 'missing-credentials',
  severity: 'error',
  looksAt: 'a call without the credentials that the operation requires',
  help: 'Send the key as documented; mark a test of a missing key with "Sandbox-Expect: 401"',
  isExpectable: true,
  *analyze(call) {
    const problem = credentialProblem(call)
    if (problem?.kind === 'missing') yield { at: problem.at, message: call.message ?? 'An API key is required' }
  },
}
