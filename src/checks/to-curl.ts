/** A request as a curl line that can be pasted into a shell. */

export interface CurlRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body?: string
}

export function toCurl({ method, url, headers, body }: CurlRequest, key: string): string {
  const parts = ['curl']
  if (method !== (body === undefined ? 'GET' : 'POST')) parts.push(`-X ${method}`)
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${value}`, key)}`)
  if (body !== undefined) parts.push(`-d ${quote(body, key)}`)
  return [...parts, quote(url, key)].join(' ')
}

function quote(text: string, key: string): string {
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`
  return key === '' ? quoted : quoted.replaceAll(key, `'"$PETSTORE_API_KEY"'`)
}
