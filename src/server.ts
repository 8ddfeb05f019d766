/** The public API, for every runtime: the service of the bundled document, or of another one. */
export const x = 1
