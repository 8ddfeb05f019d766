/** What `bench rules` measures: the compiler from its sources, and the rules, which can be left out one by one. */

export { collectionRules } from '../../src/compile/resources/rules/collection-rules.ts'
export { itemRules } from '../../src/compile/resources/rules/item-rules.ts'
export { partRules } from '../../src/compile/resources/rules/part-rules.ts'
export { rpcRules } from '../../src/compile/resources/rules/rpc-rules.ts'
export { singletonRules } from '../../src/compile/resources/rules/singleton-rules.ts'
export { compileSpec } from '../../src/entries/compile-spec.ts'
