/** Parts of the engine that are loaded when one of their functions is first called: see `scripts/late-parts.js`. */

/** Thrown where something is used that is not loaded yet. What runs must be run again when it is loaded. */
export class Needed extends Error {
  /** Names it in errors. */
  readonly what: string
  /** The same function for the same thing. */
  readonly load: () => Promise<void>

  constructor(what: string, load: () => Promise<void>) {
    super(`${what} must be loaded first`)
    this.what = what
    this.load = load
  }
}

/** A part of the engine. All sandboxes share it, as it has no state but its code. */
export class LatePart<Code = unknown> {
  readonly needed: Needed
  #code: Code | undefined

  constructor(name: string, load: () => Promise<Code>) {
    this.needed = new Needed(`the part "${name}" of the engine`, async () => this.use(await load()))
  }

  /** Uses code that was loaded in another way. */
  use(code: Code): void {
    this.#code = code
  }

  /** @throws Needed */
  get(): Code {
    if (!this.#code) throw this.needed
    return this.#code
  }
}
