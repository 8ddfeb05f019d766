/** Corrections that the page makes while the program runs, the overlay that keeps them, and the command that uses it. */
import type { OverlayAction } from '../compile/resources/print-overlay.js'
import { name } from '../generated/package.js'

/** Corrections that last until the program ends, by the ids of their operations, and confirmations of open facts. */
export interface Corrections {
  readonly actions: ReadonlyMap<string, OverlayAction>
  /**
   * Serves the document with another correction.
   * @param action undefined takes the correction back
   * @throws SandboxError if the document cannot be served like that. Then nothing changes
   */
  correct(id: string, action: OverlayAction | undefined): Promise<void>
}

/** Writes what was inferred or corrected as an OpenAPI Overlay. */
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

const secretOption = /^--(api-key|control-token|webhook-secret)$/

/** A name for the file of a further overlay, which the command line does not have yet. @example 'corrections.yaml' */
export function nextOverlay(argv: readonly string[] = process.argv): string {
  let file = 'corrections.yaml'
  for (let count = 2; argv.some((each) => each.endsWith(file)); count++) file = `corrections-${count}.yaml`
  return file
}

/**
 * Writes the command that starts this program again, with a further overlay. Writes `***` in place of keys, and of users, passwords and queries in URLs.
 * @param argv as in `process.argv`
 * @returns undefined if another program started the sandbox
 */
export function writeCommand(overlay: string, argv: readonly string[] = process.argv): string | undefined {
  const [, program = '', ...args] = argv
  if (!new RegExp(`[\\\\/]${name}(\\.js)?$`).test(program) || args[0] === 'run') return undefined
  const shown = args.map((each, index) => {
    const [option = '', ...values] = each.split('=')
    if (secretOption.test(args[index - 1] ?? '')) return '***'
    if (values.length > 0 && secretOption.test(option)) return `${option}=***`
    return each.replace(/(:\/\/)[^/?#]*@/g, '$1***@').replace(/(:\/\/(?:(?!:\/\/)[^?#])*[?#]).+/s, '$1***')
  })
  const quoted = [...shown, '--overlay', overlay].map((each) =>
    /^[\w./:=@,+-]+$/.test(each) ? each : `'${each.replaceAll("'", "'\\''")}'`,
  )
  return [name, ...quoted].join(' ')
}
