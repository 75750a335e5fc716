/** Compresses into the zlib format (RFC 1950): node:zlib's deflate, or a browser's CompressionStream. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** Big-endian, as PNG and JPEG want it. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
