/** The two servers of the development store that are not MongoDB. */
export type DevStoreServer = 'rust' | 'python';

/** The development store's server that answers `buildInfo` so; undefined for any other server. */
export function devStoreServer({
  secantusVersion,
  buildEnvironment,
}: Readonly<Record<string, unknown>>): DevStoreServer | undefined {
  if (typeof secantusVersion !== 'string') {
    return undefined;
  }
  return JSON.stringify(buildEnvironment)?.includes('rustc') ? 'rust' : 'python';
}
