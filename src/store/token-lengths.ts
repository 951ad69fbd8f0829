/** Lengths of a turn's tokens in UTF-16 units as bytes: seven bits a byte, lowest first, the eighth says that more follow. */
export function packLengths(lengths: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let rest of lengths) {
    while (rest >= 0x80) {
      bytes.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** The lengths that `packLengths` packed. */
export function unpackLengths(bytes: Uint8Array): number[] {
  const lengths: number[] = [];
  let value = 0;
  let shift = 0;
  for (const byte of bytes) {
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    lengths.push(value);
    value = 0;
    shift = 0;
  }
  return lengths;
}
