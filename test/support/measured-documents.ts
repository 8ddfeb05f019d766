/** The parts of `npm run bench documents` that unit tests use, with types: the benchmarks are plain JavaScript. */

export interface MeasuredParameter {
  name: string
  in?: string
  style: string
  explode: boolean
}

export interface MeasuredMedia {
  type: string
  schema?: object
  encoding: object
  examples: readonly unknown[]
}

export interface MeasuredOperation {
  id: string
  method: string
  path: string
  parameters: MeasuredParameter[]
  body?: { isRequired: boolean; media: MeasuredMedia[] }
}

interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

type Resolve = (value: unknown) => unknown
type Encode = (text: string) => string
type IsUsable = (parameter: MeasuredParameter, value: unknown) => boolean
type Values = Record<string, unknown>

export interface MeasuredSchemas {
  errorsOf(schema: object | undefined, value: unknown): unknown[]
  toWhole(schema: object): unknown
}

interface Parts {
  parameters: ReadonlyMap<MeasuredParameter, unknown>
  media?: MeasuredMedia
  body?: unknown
}

interface Modules {
  'break-request': {
    breakRequest(
      operation: MeasuredOperation,
      parts: Parts,
      options: { schemas: MeasuredSchemas; random: () => number; count: number },
    ): { kind: string; what: string; isInPath?: boolean }[]
  }
  'collect-keys': {
    createKeys(): {
      add(operation: MeasuredOperation, values: Values, body: unknown): void
      remove(operation: MeasuredOperation, values: Values): void
      find(operation: MeasuredOperation, isUsable: IsUsable): Values
    }
  }
  'json-schemas': {
    createSchemas(options: { document: object; resolve: Resolve; mode: 'request' | 'response' }): MeasuredSchemas
  }
  judge: {
    createJudge(options: { schemas: MeasuredSchemas }): {
      judgeSuccess(operation: MeasuredOperation, answer: Answer): { verdict: string }
      judgeRefusal(operation: MeasuredOperation, broken: { isInPath?: boolean }, answer: Answer): { verdict: string }
    }
  }
  'list-operations': { listOperations(read: { document: object; resolve: Resolve }): MeasuredOperation[] }
  random: { pickSome<Item>(list: readonly Item[], count: number, random: () => number): Item[] }
  'write-body': {
    chooseMedia(media: readonly MeasuredMedia[]): MeasuredMedia
    writeBody(media: MeasuredMedia, value: unknown, resolve: Resolve): { contentType: string; text: string }
  }
  'write-parameter': {
    writePairs(parameter: MeasuredParameter, value: unknown): [string, string][]
    writeSimple(parameter: MeasuredParameter, value: unknown, encode: Encode): string
  }
}

export function load<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  return import(new URL(`../../bench/documents/${name}.js`, import.meta.url).href)
}
