/** `test:quick` starts no server. */
export const isOnlyInProcess: boolean = process.env['IN_PROCESS'] !== undefined

/** The names of transports, without HTTP in `test:quick`. */
export function possibleDoors(names: readonly string[]): readonly string[] {
  return isOnlyInProcess ? names.filter((name) => name !== 'http') : names
}
