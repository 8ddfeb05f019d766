/** A patch cannot be applied. The message names the part and what is allowed, without a full stop. */
export class PatchError extends Error {}
