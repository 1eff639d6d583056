/** The longest time that a provider has for its whole answer. The lease of a step is longer: `PIPELINE_LEASE_SECONDS`. */
export const LONGEST_CALL_SECONDS = 10;
