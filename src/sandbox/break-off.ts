/** Breaks off responses of `fetch`, as a connection that is closed does. */

/**
 * @param bytes of the body that arrive before. Undefined: nothing arrives, and `fetch` rejects
 */
export function breakOff(response: Response, bytes: number | undefined): Response {
  if (bytes === undefined) return Response.error()
  if (!response.body) return response
  const reader = response.body.getReader()
  let left = bytes
  let isCut = false
  const body = new ReadableStream<Uint8Array>({
    /** Called again when what was enqueued is read. */
    async pull(controller) {
      if (isCut) {
        // An error removes what a copy of the stream has not read yet.
        await new Promise((resolve) => setTimeout(resolve, 10))
        return controller.error(new TypeError('terminated'))
      }
      const { done, value = new Uint8Array() } = await reader.read()
      if (done) return controller.close()
      const part = value.subarray(0, left)
      left -= part.length
      isCut = part.length < value.length
      if (isCut) void reader.cancel().catch(() => {})
      if (part.length > 0) controller.enqueue(part)
      else controller.error(new TypeError('terminated'))
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
