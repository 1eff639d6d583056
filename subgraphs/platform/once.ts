/** Makes a thing at its first use; later uses get the same one. What `make` throws is not kept: the next use tries again. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
