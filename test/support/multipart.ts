/** Writes multipart bodies byte by byte. */

export interface FormPart {
  /** The header lines. */
  headers: readonly string[]
  body: string | Uint8Array
}

const encoder = new TextEncoder()

export function toMultipart(parts: readonly FormPart[], boundary = 'x', lineBreak = '\r\n'): Uint8Array {
  const chunks: Uint8Array[] = []
  const write = (chunk: string | Uint8Array) => chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  for (const { headers, body } of parts) {
    write(`--${boundary}${lineBreak}${headers.map((line) => line + lineBreak).join('')}${lineBreak}`)
    write(body)
    write(lineBreak)
  }
  write(`--${boundary}--${lineBreak}`)
  return new Uint8Array(Buffer.concat(chunks))
}

export function field(name: string, body: string | Uint8Array, ...more: string[]): FormPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`, ...more], body }
}

export function file(name: string, filename: string, type: string, body: string | Uint8Array): FormPart {
  return {
    headers: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
    body,
  }
}
