/** Half cosines of k·π/16, and the root of an eighth: the orthonormal DCT-II of length 8. */
const [C1, C2, C3, C5, C6, C7] = [1, 2, 3, 5, 6, 7].map(
  (k) => Math.cos((k * Math.PI) / 16) / 2,
) as [number, number, number, number, number, number]
const R = Math.sqrt(1 / 8)

/**
 * One dimension of the forward DCT (ITU-T T.81 §A.3.3). Replaces eight of the values, at `start` and
 * then every `step`, by their eight coefficients. All rows and then all columns make a block's DCT.
 */
export function dct(values: Float32Array, start: number, step: number): void {
  const at = (index: number) => values[start + index * step] as number
  const [a0, a1, a2, a3] = [at(0) + at(7), at(1) + at(6), at(2) + at(5), at(3) + at(4)]
  const [b0, b1, b2, b3] = [at(0) - at(7), at(1) - at(6), at(2) - at(5), at(3) - at(4)]
  const [even, odd] = [a0 + a3, a1 + a2]
  values[start] = R * (even + odd)
  values[start + 4 * step] = R * (even - odd)
  values[start + 2 * step] = C2 * (a0 - a3) + C6 * (a1 - a2)
  values[start + 6 * step] = C6 * (a0 - a3) - C2 * (a1 - a2)
  values[start + step] = C1 * b0 + C3 * b1 + C5 * b2 + C7 * b3
  values[start + 3 * step] = C3 * b0 - C7 * b1 - C1 * b2 - C5 * b3
  values[start + 5 * step] = C5 * b0 - C1 * b1 + C7 * b2 + C3 * b3
  values[start + 7 * step] = C7 * b0 - C5 * b1 + C3 * b2 - C1 * b3
}
