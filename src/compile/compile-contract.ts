/** Compiles an OpenAPI document to a contract: everything that can be decided before a request comes, decided. */

import type { Contract, Effect, ErrorBody, Operation } from '../contract/contract.js'
import { compileLifecycle } from './compile-lifecycle.js'
import { compileOperation, type OperationContext } from './compile-operation.js'
import { compileSecuritySchemes } from './compile-security.js'
import { compileServers } from './compile-servers.js'
import { type DescribedOperation, describeOperations } from './describe-operations.js'
import { DocumentProblem, type OpenApiDocument } from './document.js'
import { inferEffects } from './resources/infer-effects.js'
import { createShapeCompiler } from './schemas/compile-shapes.js'
import { createValidatorCompiler, type ValidatorCompiler } from './schemas/compile-validators.js'

/** A contract whose validators are still to be made: as functions now, or as the code of a module. */
export interface CompiledContract {
  contract: Omit<Contract, 'validators' | 'recordValidators'>
  validators: ValidatorCompiler
  recordValidators: ValidatorCompiler
}

/** @throws DocumentProblem for what the document says and cannot be served */
export function compileContract(document: OpenApiDocument): CompiledContract {
  const described = describeOperations(document)
  if (described.length === 0) throw new DocumentProblem('The document has no operations to serve', ['paths'])
  const servers = compileServers(document, described)
  const shapes = createShapeCompiler(document)
  const validators = createValidatorCompiler(document)
  const recordValidators = createValidatorCompiler(document)
  const context: OperationContext = { document, servers, shapes, validators, recordValidators }
  for (const [name, value] of Object.entries(document.components?.schemas ?? {})) {
    validators.check({ value, path: ['components', 'schemas', name] })
  }

  const { effects, collections } = inferEffects(context, described)
  const effectOf = (operation: DescribedOperation): Effect => effects.get(operation) ?? { kind: 'undescribed' }
  const operations = described.map((operation) => {
    const lifecycle = compileLifecycle(operation, described, effectOf)
    return compileOperation(context, operation, effectOf(operation), lifecycle)
  })
  const errorBody = commonErrorBody(operations)
  leaveOutCommon(operations, errorBody)
  return {
    contract: {
      title: document.info.title,
      version: document.info.version,
      servers: servers.all,
      operations,
      collections,
      schemes: compileSecuritySchemes(document),
      shapes: shapes.shapes,
      recordSchemas: recordValidators.paths,
      errorBody,
    },
    validators,
    recordValidators,
  }
}

/** What a refusal looks like where its operation documents none: as the first documented one does. */
function commonErrorBody(operations: Operation[]): ErrorBody {
  const [first] = operations.flatMap(({ responses }) => responses.flatMap(({ error }) => error ?? []))
  const fields = (['code', 'message', 'status'] as const).map((name) => ({ name, from: name }))
  return first ?? { mediaType: 'application/json', fields }
}

/** An error body that is the common one need not be told again. */
function leaveOutCommon(operations: Operation[], common: ErrorBody): void {
  const text = JSON.stringify(common)
  for (const response of operations.flatMap(({ responses }) => responses)) {
    if (JSON.stringify(response.error) === text) delete response.error
  }
}
