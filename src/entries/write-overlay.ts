/** Writes what was inferred as an OpenAPI Overlay. */
import type { OverlayAction } from '../compile/resources/corrections/print-overlay.js'

export function toOverlay(title: string, actions: readonly OverlayAction[]): object {
  const written = actions.flatMap(({ target, description, update, isReplaced }) => [
    ...(isReplaced ? [{ target: `${target}['${Object.keys(update)[0]}']`, remove: true }] : []),
    { target, description, update },
  ])
  return { overlay: '1.0.0', info: { title, version: '1.0.0' }, actions: written }
}

/** The same as YAML. */
export async function writeOverlay(title: string, actions: readonly OverlayAction[]): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(toOverlay(title, actions), { lineWidth: 120, aliasDuplicateObjects: false })
}
