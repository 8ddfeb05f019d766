/** The methods of a path, in the order of `Allow`: also those that every path has. */
export function toAllowed(documented: Iterable<string>): string[] {
  const methods = new Set(documented).add('OPTIONS')
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}
