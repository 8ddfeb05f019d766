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

/** Replaces numbers, UUIDs and long hexadecimal segments by `{}`, as they differ by record. */
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
