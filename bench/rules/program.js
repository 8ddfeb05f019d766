/** What `bench rules` measures: the compiler from its sources, and the rules, which can be left out one by one. */

export { compileSpec } from '../../src/entries/compile-spec.ts'
export { collectionRules } from '../../src/infer/rules/collection-rules.ts'
export { itemRules } from '../../src/infer/rules/item-rules.ts'
export { partRules } from '../../src/infer/rules/part-rules.ts'
export { rpcRules } from '../../src/infer/rules/rpc-rules.ts'
export { singletonRules } from '../../src/infer/rules/singleton-rules.ts'
