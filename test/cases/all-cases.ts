/** Every case: each rule for answers to requests, as data. */
import type { Case } from '../support/run-case.js'
import { bodyCases } from './bodies.js'
import { careCases } from './care.js'
import { corsCases } from './cors.js'
import { creationCases } from './creation.js'
import { failureCases } from './failures.js'
import { faultCases } from './faults.js'
import { idCases } from './ids.js'
import { integerCases } from './integers.js'
import { journalCases } from './journal.js'
import { keyCases } from './keys.js'
import { lifecycleCases } from './lifecycle.js'
import { listCases } from './lists.js'
import { messageCases } from './messages.js'
import { methodCases } from './methods.js'
import { orderCases } from './order.js'
import { overrideCases } from './overrides.js'
import { preferCases } from './prefer.js'
import { readingCases } from './reading.js'
import { routingCases } from './routing.js'
import { scenarioCases } from './scenarios.js'

export const cases: readonly Case[] = [
  ...keyCases,
  ...orderCases,
  ...listCases,
  ...creationCases,
  ...integerCases,
  ...bodyCases,
  ...idCases,
  ...readingCases,
  ...lifecycleCases,
  ...messageCases,
  ...routingCases,
  ...methodCases,
  ...corsCases,
  ...preferCases,
  ...journalCases,
  ...failureCases,
  ...faultCases,
  ...careCases,
  ...overrideCases,
  ...scenarioCases,
]
