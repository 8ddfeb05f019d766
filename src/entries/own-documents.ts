/** The documents of this package, each compiled for the first control API that needs it, and then the same for all. */

import type { Contract } from '../contract/contract.js'
import type { SentDocument } from '../control/control-options.js'
import { once } from '../document/once.js'
import { singleSource } from '../document/sources.js'
import { text } from '../generated/control-document.js'
import { compileSpec } from './compile-spec.js'
import { type CompiledText, compileInSlices } from './compile-text.js'

/** The bundled document, as it is inspected. */
export const bundledSpec: () => Promise<CompiledText> = once(() => compileSpec({}, {}))

/** The document of the control API. */
export const controlDocument: () => Promise<SentDocument & { contract: Contract }> = once(async () => {
  const { contract, document } = await compileInSlices(singleSource(text, 'control.openapi.yaml'), {})
  return { contract, document, text }
})
