/** The public API for every runtime: creates sandboxes for the bundled document or another one. */

export type { Contract, Operation } from '../contract/contract.js'
export type { AnyDocument, CollectionName, DocumentTypes, OperationId } from '../contract/document-types.js'
export type { Effect } from '../contract/effects/effect.js'
export { withHttpCare } from '../contract/http/with-http.js'
export { SandboxError, type SandboxErrorCode, type SourceLocation } from '../contract/sandbox-error.js'
export type { Violation } from '../contract/violations.js'
export type { DocumentNote } from '../document/notes.js'
export type { Hint, Hints } from '../generate/hints.js'
// The names of the schemas depend on the bundled document, so only this list is not written by hand.
export type * from '../generated/schemas.js'
export type { Collection, ListOptions } from '../sandbox/facade/collection.js'
export type { ExchangeFilter, Exchanges, WaitOptions } from '../sandbox/facade/exchanges.js'
export type { Fault, FaultRule, SandboxFaults } from '../sandbox/facade/faults.js'
export type { Fetch } from '../sandbox/facade/fetch.js'
export type { Sandbox } from '../sandbox/facade/sandbox.js'
export type { World, WorldClock } from '../sandbox/facade/world.js'
export type { Handle } from '../sandbox/handle.js'
export {
  defineOverrides,
  type NextAnswer,
  type Override,
  type OverrideAnswer,
  type OverrideContext,
  type OverrideRecords,
  type Overrides,
} from '../sandbox/overrides/override-types.js'
export type { Delivery, SandboxRequest, SandboxResponse } from '../sandbox/request/request.js'
export type { SendingFetch } from '../sandbox/webhooks/transmit.js'
export type { Commit, Committed, Entry, Later, ListedWorld, Stamp, Store } from '../state/commits/store.js'
export type { Cause, Exchange, Journal, JournalOptions, SentHook, UnknownReference } from '../state/journal.js'
export type { Scenario } from '../state/scenario.js'
export type { CollectionState, WorldState } from '../state/snapshots/world-state.js'
export type { Key, Values } from '../state/stored-record.js'
export type { SandboxOptions } from './assemble-sandbox.js'
export { type CompiledDocument, type CompileOptions, compileDocument } from './compile-document.js'
export { createSandbox } from './create-sandbox.js'
export { type GenerateScenarioOptions, generateScenario } from './generate-scenario.js'
