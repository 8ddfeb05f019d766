/** A response whose body is a text: without a stream, which would take most of the time of a request in this process. */

/** Its `body` is null; read it by `text`, `json` or a clone. */
export class TextResponse extends Response {
  readonly #text: string

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.#text = text
  }

  override async text(): Promise<string> {
    return this.#text
  }

  override async json(): Promise<ReturnType<typeof JSON.parse>> {
    return JSON.parse(this.#text)
  }

  override clone(): TextResponse {
    return new TextResponse(this.#text, this)
  }
}
