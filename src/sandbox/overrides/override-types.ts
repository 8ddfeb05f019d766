/** The types of overrides. `Api` is what `export types` writes, or the `paths` of openapi-typescript. */
import type { ListOptions } from '../facade/collection.js'
import type { HttpReason, Reason } from '../outcome.js'

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'
type Json<Content> = Content extends object ? Content[keyof Content] : undefined
type Part<Operation, Place extends string> = Operation extends { parameters: { [Each in Place]?: infer Parameters } }
  ? [NonNullable<Parameters>] extends [never]
    ? object
    : NonNullable<Parameters>
  : object
/** A body with the properties that only the answer has, so that an override can set them. */
type Settable<Body, Shown> = Body extends readonly unknown[]
  ? Body
  : Body extends object
    ? Shown extends object
      ? Body & Partial<Draft<Omit<Shown, keyof Body>>>
      : Body
    : Body
type Body<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Draft<Json<Content>>
  : Operation extends { requestBody?: { content: infer Content } | undefined }
    ? Draft<Json<Content>> | undefined
    : undefined
type Answers<Operation> = Operation extends { responses: infer Responses } ? Responses : never
type ContentOf<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : Json<Content>
  : undefined
type Ok = 200 | 201 | 202 | 203 | 204 | 205 | 206 | '2XX'
type Success<Operation> = ContentOf<Answers<Operation>[keyof Answers<Operation> & Ok]>
type Status<Operation> = keyof Answers<Operation> extends infer Each ? (Each extends number ? Each : never) : never
type Documented<Operation, Code> = Code extends keyof Answers<Operation> ? ContentOf<Answers<Operation>[Code]> : unknown
type Draft<Value> = Value extends readonly (infer Item)[]
  ? Draft<Item>[]
  : Value extends object
    ? { -readonly [Name in keyof Value]: Draft<Value[Name]> }
    : Value
type Above<Paths, Path> = {
  [Each in keyof Paths & string]: Path extends Each | `${Each}/${string}`
    ? Each extends `${string}}`
      ? Paths[Each] extends { get: object }
        ? Each
        : never
      : never
    : never
}[keyof Paths & string]
type Longest<Each, All = Each> = Each extends string
  ? Extract<All, `${Each}/${string}`> extends never
    ? Each
    : never
  : never
type RecordAt<Paths, Path> = [Longest<Above<Paths, Path>>] extends [never]
  ? Anything
  : Success<Paths[Longest<Above<Paths, Path>> & keyof Paths] extends { get: infer Get } ? Get : never>
// biome-ignore lint/suspicious/noExplicitAny: a record of an unknown document
type Anything = { [property: string]: any }

/** What marks an answer. A symbol, so that a spread keeps it and no body has it. */
declare const answered: unique symbol

/** An answer of `next()`, `answer()` or `refuse()`. A changed copy, such as `{ ...given, status: 202 }`, is one, too. */
export interface OverrideAnswer<Content = unknown> {
  readonly [answered]?: unknown
  status: number
  headers: Record<string, string>
  body: Content
}

/** The answer of the behaviour. */
export interface NextAnswer<Content = unknown, Item = Anything> extends OverrideAnswer<Content> {
  /** The record that the request created, changed or showed. What is set on it is stored, and in the answer. */
  record: Draft<Item> | undefined
}

type OverrideKey = string | number | bigint

/** The records of a collection in the world of the request. Those that it gives are copies. */
export interface OverrideRecords<Item = Anything> {
  get(key: OverrideKey): Promise<Draft<Item> | undefined>
  /** Newest first. @param filter values of properties: `{ status: 'open' }` */
  list(filter?: ListOptions<Item>['filter']): Promise<Draft<Item>[]>
  /** Makes a key if the values have none. Resolves to the record with its key. */
  add(values: Partial<Draft<Item>>): Promise<Draft<Item>>
  /** Replaces all values except the key. Resolves to undefined if there is no such record. */
  replace(key: OverrideKey, values: Partial<Draft<Item>>): Promise<Draft<Item> | undefined>
  /** Replaces some values. Resolves to undefined if there is no such record. */
  update(key: OverrideKey, values: Partial<Draft<Item>>): Promise<Draft<Item> | undefined>
  /** Resolves to whether there was such a record. */
  remove(key: OverrideKey): Promise<boolean>
}

/** What an override gets. */
export interface OverrideContext<Operation = unknown, Item = Anything, Collections = Record<string, Anything>> {
  /** The id of the operation. */
  readonly operation: string
  /** The key that opened the world. */
  readonly key: string
  /** The time of the world. */
  readonly now: Date
  /** A number from 0 to 1, without 1. The same request of the same world gets the same numbers. */
  random(): number
  /** Path parameters, decoded and validated. */
  readonly params: Part<Operation, 'path'>
  readonly query: Part<Operation, 'query'>
  readonly headers: Part<Operation, 'header'>
  readonly cookies: Part<Operation, 'cookie'>
  /** The decoded body. `next()` uses what is set on it. */
  readonly body: Settable<Body<Operation>, Success<Operation>>
  /** The record that the path selects. What is set on it is stored. Undefined if there is none. */
  readonly record: Draft<Item> | undefined
  records<Name extends keyof Collections & string>(collection: Name): OverrideRecords<Collections[Name]>
  /** The record of the user who is logged in. */
  readonly user: Anything | undefined
  /** An object of the world for the override's own values: JSON of at most 64 kB. */
  readonly own: Anything
  /** Does what the behaviour says, once. Resolves to its answer, which may be a refusal. */
  next(): Promise<NextAnswer<Success<Operation>, Item>>
  answer<Code extends Status<Operation>>(
    status: Code,
    ...rest: undefined extends Documented<Operation, Code>
      ? [body?: Documented<Operation, Code>, headers?: Record<string, string>]
      : [body: Documented<Operation, Code>, headers?: Record<string, string>]
  ): OverrideAnswer<Documented<Operation, Code>>
  /**
   * Refuses the request with an error in the documented form, and undoes what was changed.
   * @param statusOrReason 400 to 599, or a reason such as `conflict` or `not_found`
   * @param fields members of the error body
   */
  refuse(
    statusOrReason: number | Exclude<Reason, HttpReason | 'forced'>,
    message: string,
    fields?: object,
  ): OverrideAnswer<never>
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a result is an override, too
type Result<Operation> = OverrideAnswer | Response | Success<Operation> | undefined | void
type OverrideFor<Operation, Item, Collections> = (
  context: OverrideContext<Operation, Item, Collections>,
) => Result<Operation> | Promise<Result<Operation>>

/** An override of any operation. */
// biome-ignore lint/suspicious/noExplicitAny: the document is unknown
export type Override = (context: OverrideContext<any, Anything, Record<string, Anything>> & AnyOperation) => unknown

/** What is not typed by an operation. */
interface AnyOperation {
  readonly params: Anything
  readonly query: Anything
  readonly headers: Anything
  readonly cookies: Anything
  // biome-ignore lint/suspicious/noExplicitAny: the document is unknown
  readonly body: any
  // biome-ignore lint/suspicious/noExplicitAny: the document is unknown
  next(): Promise<NextAnswer<any>>
  answer(status: number, body?: unknown, headers?: Record<string, string>): OverrideAnswer
}

type Names<Paths> = {
  [Path in keyof Paths & string]: {
    [Each in keyof Paths[Path] & Method]: Paths[Path][Each] extends object ? `${Uppercase<Each>} ${Path}` : never
  }[keyof Paths[Path] & Method]
}[keyof Paths & string]
type OperationOf<Paths, Name> = Name extends `${infer Each} ${infer Path}`
  ? Path extends keyof Paths
    ? Paths[Path][Lowercase<Each> & keyof Paths[Path]]
    : never
  : never
type PathOf<Name> = Name extends `${string} ${infer Path}` ? Path : never
type Whole<Api> = Api extends { paths: object } ? Api : { paths: Api }
type CollectionsOf<Api> = Api extends { collections: infer All extends object } ? All : Record<string, Anything>
type Selected<Api, Name, Otherwise> = Api extends { selects: infer All }
  ? Name extends keyof All
    ? All[Name]
    : Otherwise
  : Otherwise
type ByPath<Api> = Api extends { paths: infer Paths }
  ? {
      [Name in Names<Paths>]?: OverrideFor<
        OperationOf<Paths, Name>,
        Selected<Api, Name, RecordAt<Paths, PathOf<Name>>>,
        CollectionsOf<Api>
      >
    }
  : never
type ById<Api> = Api extends { operations: infer All extends object }
  ? { [Id in keyof All & string]?: OverrideFor<All[Id], Selected<Api, Id, Anything>, CollectionsOf<Api>> }
  : unknown

/** Overrides of a document, by `METHOD /path` or operation id. `*` is called first for every operation. */
export type Overrides<Api = unknown> = unknown extends Api
  ? { [name: string]: Override }
  : ByPath<Whole<Api>> & ById<Api> & { '*'?: Override }

/**
 * Overrides with their types.
 * @typeParam Api what `petstore-sandbox export types` writes, or `paths` of openapi-typescript. @default any operations
 * @example
 * export default defineOverrides<Api>({
 *   'GET /quote': ({ query, answer }) => answer(200, { price: Number(query.weight) * 4 }),
 * })
 */
export function defineOverrides<Api = unknown>(overrides: Overrides<Api>): Overrides<Api> {
  return overrides
}
