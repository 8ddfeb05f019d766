/** Matches paths with documented ones, without the sandbox's router, so that checks can find the router's mistakes. */

/** Decoded values of path parameters by name. Invalid percent-encoding stays as it is. */
export function pathValues(documented: string, path: string): Record<string, string> {
  const segments = path.split('/')
  const values: Record<string, string> = {}
  for (const [index, segment] of documented.split('/').entries()) {
    const name = parameterName(segment)
    const text = segments[index]
    if (name !== undefined && text !== undefined) values[name] = decode(text)
  }
  return values
}

/** Whether a path matches a documented one. */
export function fitsPath(documented: string, path: string): boolean {
  const segments = path.split('/')
  const wanted = documented.split('/')
  return (
    wanted.length === segments.length &&
    wanted.every((each, index) => {
      const segment = segments[index] ?? ''
      return parameterName(each) === undefined ? decode(segment) === each : segment !== ''
    })
  )
}

/** Replaces the segments that name a record or a time by `{}`, as they differ from run to run. */
export function generalizePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (isVariable(decode(segment)) ? '{}' : segment))
    .join('/')
}

/** Numbers, UUIDs, dates and times. */
const variable =
  /^(-?\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d(-\d\d)?([T_ ].*)?|\d\d?[.-]\d\d?[.-]\d{4})$/i

/** Whether a name looks like the key of a record or like a time: also long hexadecimal and random ones. */
export function isVariable(name: string): boolean {
  return variable.test(name) || /\d{8}|^[\da-f]{16,}$/i.test(name) || /^(?=.*\d\D+\d)[\w~-]{16,}$/.test(name)
}

function parameterName(segment: string): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1]
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
