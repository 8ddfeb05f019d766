/** Holds a path against a documented one, without the router: a check that shares it cannot catch its mistakes. */

/** Decoded values by name; a broken percent-encoding stays as it is. */
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

/** Whether a path is one of the documented path. */
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

/** A path whose variable segments are `{}`: what is a number, a UUID or long hexadecimal digits differs by record. */
export function generalizePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^(-?\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,})$/i.test(segment) ? '{}' : segment))
    .join('/')
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
