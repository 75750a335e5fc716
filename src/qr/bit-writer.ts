/** Writes an entropy-coded segment: bits from the highest, a zero byte behind each 255 (ITU-T T.81 §F.1.2.3). */
export class BitWriter {
  #bytes: Uint8Array
  #length = 0
  #pending = 0
  #count = 0

  /** @param expected number of bytes to begin with; more are made as they are needed */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  /** @param count number of bits, 0 to 24; `bits` has none above them */
  write(bits: number, count: number): void {
    this.#pending = (this.#pending << count) | bits
    this.#count += count
    while (this.#count >= 8) {
      this.#count -= 8
      this.#push((this.#pending >>> this.#count) & 255)
    }
    this.#pending &= (1 << this.#count) - 1
  }

  /** The bytes so far, the last one filled up with ones. */
  end(): Uint8Array {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count)
    return this.#bytes.subarray(0, this.#length)
  }

  #push(byte: number) {
    if (this.#length + 2 > this.#bytes.length) this.#grow()
    this.#bytes[this.#length++] = byte
    if (byte === 255) this.#bytes[this.#length++] = 0
  }

  #grow() {
    const larger = new Uint8Array(2 * this.#bytes.length + 64)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
