/** A binary field as a lean read returns it: a Buffer, or the driver's Binary around one. */
export type StoredBytes = Buffer | { readonly buffer: Uint8Array };

/** The bytes of a binary field, however it was read. */
export function toBuffer(stored: StoredBytes): Buffer {
  return Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
}
