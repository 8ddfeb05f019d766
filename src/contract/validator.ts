/** Compiled JSON Schema validators. */

/** A compiled JSON Schema validator. Returns whether the value is valid, and sets `errors`. */
export interface Validate {
  (value: unknown, context?: { instancePath?: string; parentData?: object; parentDataProperty?: string }): boolean
  errors?: SchemaError[] | null
}

/** An error as Ajv reports it. */
export interface SchemaError {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}
