/** The number of records of a collection if nothing is said about it. */
export const usualRecords = 20
