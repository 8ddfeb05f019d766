/** The compiler for the build and the document loader. Nothing here runs per request. */
export { type CompiledContract, compileContract } from './compile-contract.js'
export { DocumentProblem } from './document.js'
export { type DocumentSource, readDocument } from './read/read-document.js'
