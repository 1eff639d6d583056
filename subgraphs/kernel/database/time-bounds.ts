/**
 * `$gte`, said with an exclusive bound: dates have whole milliseconds. Of inclusive bounds SecantusDB 0.7
 * (in Python) forgets the equal end where the index goes on with other fields.
 */
export function atOrAfter(time: Date): { $gt: Date } {
  return { $gt: new Date(time.getTime() - 1) };
}

/** `$lte`, in the same way. */
export function atOrBefore(time: Date): { $lt: Date } {
  return { $lt: new Date(time.getTime() + 1) };
}
