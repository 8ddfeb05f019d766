/** What `bench rules` measures: the compiler from its sources, and the rules, which can be left out one by one. */

export { compileSpec } from '../../src/entries/compile-spec.ts'
export { collectionRules, itemRules, partRules, rpcRules, singletonRules } from '../../src/infer/rules/rules.ts'
