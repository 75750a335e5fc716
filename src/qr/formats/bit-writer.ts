/** Writes an entropy-coded segment: the highest bit first, a zero byte after each 255 (ITU-T T.81 §F.1.2.3). */
export class BitWriter {
  #bytes: Uint8Array
  #length = 0
  /** Bits not yet written: the lowest `#count` of them, fewer than 8 between two calls. */
  #pending = 0
  #count = 0

  /** @param expected number of bytes to begin with; the writer grows as needed */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  /** @param count number of bits, 0 to 24; `bits` has no higher bit set */
  write(bits: number, count: number): void {
    const pending = (this.#pending << count) | bits
    let left = this.#count + count
    if (left >= 8) {
      const bytes = this.#length + ROOM > this.#bytes.length ? this.#grow() : this.#bytes
      let length = this.#length
      do {
        left -= 8
        const byte = (pending >>> left) & 255
        bytes[length++] = byte
        if (byte === 255) bytes[length++] = 0
      } while (left >= 8)
      this.#length = length
    }
    this.#pending = pending & ((1 << left) - 1)
    this.#count = left
  }

  /** All bytes; ones fill up the last one. */
  end(): Uint8Array {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count)
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(): Uint8Array {
    const larger = new Uint8Array(2 * this.#bytes.length + ROOM)
    larger.set(this.#bytes)
    this.#bytes = larger
    return larger
  }
}

/** One call writes at most three bytes, each with a zero after it. */
const ROOM = 6
