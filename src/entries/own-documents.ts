/** The documents of this package, each compiled for the first control API that needs it, and then the same for all. */
import { type CompiledText, compileText } from '../compile/compile-text.js'
import { once } from '../compile/once.js'
import type { Contract } from '../contract/contract.js'
import type { SentDocument } from '../control/control-options.js'
import { text } from '../generated/control-document.js'
import { compileSpec } from './compile-spec.js'

/** The bundled document, as it is inspected. */
export const bundledSpec: () => Promise<CompiledText> = once(() => compileSpec({}, {}))

/** The document of the control API. */
export const controlDocument: () => SentDocument & { contract: Contract } = once(() => {
  const { contract, document } = compileText(text, 'control.openapi.yaml')
  return { contract, document, text }
})
