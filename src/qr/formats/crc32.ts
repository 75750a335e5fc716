/** One entry a byte value: the polynomial 0xEDB88320 (PNG, third edition, annex D). */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** CRC-32 of the bytes, 0 to 2³² - 1, as PNG and ZIP use it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
