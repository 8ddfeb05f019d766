/** Types of the answers of the control API: those of its document, and more specific ones. */
import type { components, operations } from '../generated/control-types.js'

type Schemas = components['schemas']

export type Pair = Schemas['Header']
export type Violation = Schemas['Violation']
export type Step = Schemas['Why']['step']
export type Collection = Schemas['Collection']
export type World = Schemas['World']
export type Operation = Schemas['Operation']
export type Snapshot = Schemas['Snapshot']
export type Difference = Schemas['Difference']
export type WorldEvent = Schemas['Event']
export type RecordChange = operations['listRecordChanges']['responses'][200]['content']['application/json'][number]
export type Key = Schemas['Key']
export type About = Schemas['About']
export type StoredRecord = Schemas['Record']
export type Fault = Schemas['FaultRule'] & { id: string; struck: number }
export type Clock = components['responses']['Clock']['content']['application/json']
export type PrintedOverlay = components['responses']['Overlay']['content']['application/json']
export type WrittenRequest = operations['writeRequest']['responses'][200]['content']['application/json']

export type Values = Record<string, unknown>

/** A page of the records of a collection. */
export interface Page {
  total: number
  records: StoredRecord[]
}

export interface Exchange extends Omit<Schemas['Exchange'], 'request' | 'response'> {
  request: { method: string; path: string; query: string; headers: Pair[]; body?: string }
  response: { status: number; headers: Pair[]; body?: string; encoding?: 'base64' }
}

/** The served document. */
export interface Served {
  instance: string
  /** Why the latest saved document is not served. */
  problem?: string
}

type Place = 'path' | 'query' | 'header' | 'cookie'
export type ParameterValues = Partial<Record<Place, Values>>

type OpenForm = Schemas['OperationWithForm']['form']
export interface Form extends OpenForm {
  parameters: (OpenForm['parameters'][number] & { in: Place })[]
  example: { parameters?: ParameterValues; body?: unknown }
}
