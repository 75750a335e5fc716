/** Compresses into the zlib format (RFC 1950): deflate of node:zlib, or CompressionStream in a browser. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** The four bytes of a whole number from 0 to 2³² - 1, big-endian as PNG has them. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

/** All parts in one array, in their order. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
