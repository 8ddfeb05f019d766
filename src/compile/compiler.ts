/** What the build and the loader of documents take from here; nothing that runs per request. */
export { type CompiledContract, compileContract } from './compile-contract.js'
export { DocumentProblem } from './document.js'
export { type DocumentSource, readDocument } from './read/read-document.js'
