/** Compresses into the zlib format (RFC 1950): node:zlib's deflate, or a browser's CompressionStream. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
