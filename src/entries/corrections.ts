/** Corrections that the page makes while the program runs. */
import type { OverlayAction } from '../compile/resources/corrections/print-overlay.js'

/** Corrections of operations that last until the program ends, by the ids of the operations. */
export interface Corrections {
  readonly actions: ReadonlyMap<string, OverlayAction>
  /**
   * Serves the document with another correction of an operation.
   * @param action undefined takes the correction back
   * @throws SandboxError if the document cannot be served like that. Then nothing changes
   */
  correct(operation: string, action: OverlayAction | undefined): Promise<void>
}
