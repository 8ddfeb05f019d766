/** The part of a split module that sends callbacks and webhooks. */
export { createSendingEngine } from '../sandbox/webhooks/create-sending-engine.js'
export { transmitByFetch } from '../sandbox/webhooks/transmit.js'
