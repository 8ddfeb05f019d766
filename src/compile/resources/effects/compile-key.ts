/** Compiles how keys are made. */

import type { OperationSaid } from '../../../behaviour/members.js'
import type { KeyMaking } from '../../../behaviour/model.js'
import type { CollectionModel, ExamplePlace } from '../../../contract/contract.js'
import type { Alias, CreateEffect } from '../../../contract/effects/effect.js'
import type { OpenApiDocument, Schema } from '../../../document/document.js'
import { propertyExamples, schemaExamples } from '../../../schemas/examples.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { recordContent } from '../../../schemas/operations/request-content.js'
import type { RequestRecord } from '../../../schemas/operations/request-record.js'
import type { OperationContext } from '../../operations/compile-operation.js'

export function compileKey(
  { plans }: Pick<OperationContext, 'plans'>,
  { keyKind, schema }: KeyMaking,
): Pick<CollectionModel, 'keyKind' | 'keyPlan'> {
  return { keyKind, ...(schema !== undefined && { keyPlan: plans.add(schema as Schema, { isKey: true }) }) }
}

/**
 * Where a creation has the key of the new record: in the path, or in a property of another name than in the record. And the
 * keys that its examples have.
 */
export function compileCreatedKey(
  document: OpenApiDocument,
  operation: DescribedOperation,
  request: RequestRecord | undefined,
  parameter: string | undefined,
  { model, lines }: { model: { key: string }; lines: OperationSaid },
  aliases: readonly Alias[],
): Pick<CreateEffect, 'parameter' | 'keyName' | 'exampleKeys'> {
  const { key } = model
  const named = parameter === undefined ? lines.value('requestKey') : undefined
  const own = aliases.find(([name]) => name === named)?.[1] ?? named
  const keyName = own === key ? undefined : own
  const content = parameter === undefined ? recordContent(document, operation) : undefined
  const inPath = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  const places: ExamplePlace[] = [
    ...(inPath ? [{ path: inPath.path, pointer: [], is: 'key' as const }] : []),
    ...(content && request ? [{ path: content.path, pointer: request.given, is: 'draft' as const }] : []),
  ]
  const property = content && request && flattenSchema(document, request.schema).properties.get(named ?? key)
  const examples = [
    ...places.flatMap((place) => propertyExamples(document, place, named ?? key)),
    ...(property ? schemaExamples(document, property) : []),
  ].filter((value) => typeof value === 'string' || typeof value === 'number')
  // Consoles fill a body without examples by the types of its properties.
  if (examples.length === 0 && property) examples.push(...consoleKeys(flattenSchema(document, property)))
  return {
    ...(parameter !== undefined && { parameter }),
    ...(keyName !== undefined && { keyName }),
    ...(examples.length > 0 && { exampleKeys: [...new Set(examples.map(String))] }),
  }
}

function consoleKeys({ types, keywords }: FlatSchema): (string | number)[] {
  if (keywords.enum) return []
  return types.has('integer') ? [0] : types.has('string') && keywords.format === undefined ? ['string'] : []
}
