/**
 * Makes a value at its first use; later uses get the same value. When `make` throws, nothing is kept, and the next use tries
 * again.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
