/** Writes the command that starts this program again, with a further overlay. */
import { name } from '../generated/package.js'

const secretOption = /^--(api-key|control-token|webhook-secret)$/

/** A name for the file of a further overlay, which the command line does not have yet. @example 'corrections.yaml' */
export function nextOverlay(argv: readonly string[] = process.argv): string {
  let file = 'corrections.yaml'
  for (let count = 2; argv.some((each) => each.endsWith(file)); count++) file = `corrections-${count}.yaml`
  return file
}

/**
 * Writes `***` in place of keys, and of users, passwords and queries in URLs.
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
