/** Finds the values of a request that are keys of records: in its path, its query, its headers and its body. */

import type { CollectionModel, Contract, Operation } from '../../contract/contract.js'
import type { FormReference } from '../../control/inspected.js'
import type { OpenApiDocument } from '../../document/document.js'
import { createFindReferences } from '../../generate/find-references.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { namingsInPath } from './path-values.js'

export function createFormReferences(
  document: OpenApiDocument,
  contract: Contract,
): (operation: Operation, described: DescribedOperation | undefined) => FormReference[] {
  const { collections, operations, recordSchemas, recordSources } = contract
  /** Parameters of paths that name records of only one collection: a property with their name has its keys, too. */
  const named = new Map<string, FormReference | undefined>()
  for (const each of operations.flatMap((operation) => inPath(operation))) {
    const { name, collection } = named.get(each.name) ?? each
    const isClear = !collections.some(({ key }) => key === name) && collection === each.collection
    named.set(each.name, isClear && (!named.has(name) || named.get(name)) ? each : undefined)
  }

  function inPath(operation: Operation): FormReference[] {
    return operation.servers.slice(0, 1).flatMap((server) =>
      namingsInPath(contract, operation, server).flatMap(({ collection, values }) => {
        const key = collections.find(({ name }) => name === collection)?.key
        const own = values.find(({ property }) => property === key)
        const others = values.filter((each) => each !== own)
        if (!own) return []
        return { name: own.parameter, collection, property: own.property, ...(others.length > 0 && { others }) }
      }),
    )
  }

  /** Of the records, and of the body, whose schema is read like that of a record. */
  function inSchemas({ effect }: Operation, described: DescribedOperation | undefined): FormReference[] {
    const model = 'collection' in effect ? collections.find(({ name }) => name === effect.collection) : undefined
    const links = (model?.links ?? []).flatMap(({ collection, values }) =>
      values.map(([name, property]) => ({ name, collection, property })),
    )
    const { path = [], value } = described?.body ?? {}
    const all = [...recordSchemas]
    const bodies = Object.keys(value?.content ?? {}).map((type): CollectionModel => {
      const at = [...path, 'content', type, 'schema']
      return { name: '', key: '', keyKind: 'string', servers: [], record: all.push(at) - 1 }
    })
    const find = createFindReferences(document, { collections, recordSchemas: all, recordSources }, () => true)
    const found = [...(model ? [model] : []), ...bodies].flatMap(find).filter(({ isName }) => !isName)
    return [...links, ...found.map(({ property: name, collection, key: property }) => ({ name, collection, property }))]
  }

  return (operation, described) => {
    const known = [...inSchemas(operation, described), ...[...named.values()].filter((each) => each !== undefined)]
    const others = known.map(({ name, collection, property }) => ({ name, collection, property }))
    const first = (all: FormReference[]) => [...new Map(all.toReversed().map((each) => [each.name, each])).values()]
    return [...first(inPath(operation)).map((each) => ({ ...each, in: 'path' as const })), ...first(others)]
  }
}
