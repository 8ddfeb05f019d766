/** The part of a split module that sends callbacks and webhooks. */

import * as sampler from 'late:all/sampler'
import { part } from 'late:sampler'

export { createSendingEngine } from '../sandbox/webhooks/create-sending-engine.js'
export { transmitByFetch } from '../sandbox/webhooks/transmit.js'

// They are made outside of effects, which alone can be run again.
part.use(sampler)
