/** The partners of webhook engines that tests and benches run alone: none is found, and no endpoint is deleted. */
export const NO_TENANTS = {
  find: async () => undefined,
  findStored: async () => undefined,
  endpoints: { exists: async () => true },
};
