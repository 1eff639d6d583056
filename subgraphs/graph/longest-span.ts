/** The longest span of `createdAt`, in days, with which a list takes a filter without an index of its own. The console has it too. */
export const LONGEST_SPAN_DAYS = 31;
