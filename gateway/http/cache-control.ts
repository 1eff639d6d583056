/** `Cache-Control` of answers for one caller: no cache keeps them (decisions, section 8, "Caching"). */
export const NO_STORE = 'no-store';
