/** Why a patch cannot be applied: which part of it, and what is allowed; a sentence without a full stop. */
export class PatchError extends Error {}
