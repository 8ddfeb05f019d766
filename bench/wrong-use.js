/** Options or data that a benchmark cannot use: the message is printed alone, and the exit code is 2. */
export class WrongUse extends Error {}
