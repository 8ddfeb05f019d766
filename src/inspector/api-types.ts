/** What the control API answers with, as `spec/control.openapi.yaml` describes it. */

export interface Pair {
  name: string
  value: string
}

export interface Violation {
  in: string
  at: string
  rule: string
  message: string
  pointer?: string
  file?: string
  line?: number
}

export type Step = 'route' | 'authenticate' | 'lifecycle' | 'fault' | 'prefer' | 'validate' | 'apply' | 'send'

export interface Why {
  step: Step
  text: string
  keyword?: string
  pointer?: string
  file?: string
  line?: number
}

export interface Exchange {
  id: number
  at: string
  world?: string
  environment?: string
  operation?: string
  refused?: string
  violations?: Violation[]
  notes: string[]
  why: Why
  /** Only of a callback or webhook that the sandbox sent. */
  sent?: { name: string; operation: string; url: string; attempt: number }
  request: { method: string; path: string; query: string; headers: Pair[]; body?: string }
  response: { status: number; headers: Pair[]; body?: string; encoding?: 'base64' }
}

export interface Environment {
  name: string
  url: string
  mount: string
}

export interface About {
  title: string
  version: string
  environments: Environment[]
  about: string
  keys: { id: string; key: string }[]
  credentialCookies: string[]
  tokens?: string
  curl: string
}

/** Which document is served. */
export interface Served {
  instance: string
  /** Why the document that was saved last is not served. */
  problem?: string
}

export interface Collection {
  name: string
  key: string
  keyKind: string
  environments: string[]
  scope: string[]
  openScope: string[]
  hidden: string[]
  links: { collection: string; values: { own: string; other: string }[]; isOwner: boolean }[]
  schema: string
}

export interface World {
  id: string
  now: string
  frozen: boolean
  collections: { name: string; environment: string; size: number; changed: boolean }[]
}

export interface Clock {
  now: string
  frozen: boolean
}

export type Values = Record<string, unknown>

export interface StoredRecord {
  id: number
  values: Values
}

export interface Page {
  total: number
  records: StoredRecord[]
}

export interface Operation {
  id: string
  method: string
  path: string
  effect: string
  collection?: string
  reason?: string
  summary?: string
  environments: string[]
  deprecated: boolean
  deprecatedSince?: string
  sunset?: string
  successor?: { method: string; path: string }
  stability?: string
  canTry: boolean
  pointer?: string
  file?: string
  line?: number
  documented: string[]
  met: number[]
}

export type Place = 'path' | 'query' | 'header' | 'cookie'

export type ParameterValues = Partial<Record<Place, Values>>

export interface Form {
  description?: string
  canTry: boolean
  parameters: { in: Place; name: string; required: boolean; description?: string; schema?: string }[]
  body?: { required: boolean; contents: { mediaType: string; schema?: string; example?: unknown }[] }
  responses: { status: string; description?: string }[]
  example: { parameters?: ParameterValues; body?: unknown }
}

export interface WrittenRequest {
  method: string
  target: string
  headers: Pair[]
  body?: string
}

export interface Fault {
  id: string
  struck: number
  operation?: string
  method?: string
  path?: string
  /** The id of a world. */
  key?: string
  times?: number
  share?: number
  status?: number
  message?: string
  delayMs?: number | [number, number]
  drop?: true
  truncate?: number
  rate?: { limit: number; seconds?: number }
}

export interface Snapshot {
  name: string
  at: string
}

export interface Difference {
  collection: string
  added: Values[]
  changed: { before: Values; after: Values }[]
  removed: Values[]
}

export interface Key {
  id: string
  fixed: boolean
}
