import type { Plate } from '#qr/artwork/artwork.ts'
import { LOGO_SIZE } from '#qr/artwork/artwork.ts'
import type { LogoCost } from '#qr/artwork/logo-room.ts'

/** What a size costs, in plain words. */
export function costText({ taken }: LogoCost, isLargest: boolean): string {
  const share = Math.round(taken * 100)
  const cost = `It uses ${share} % of what error correction can repair. The rest is for dirt and scratches.`
  return isLargest ? `${cost} A larger logo would leave too little.` : cost
}

/** The size that a logo begins with: easy to see, and well below the largest. Odd sizes waste no modules. */
export function firstSize(largest: number): number {
  const size = Math.round(largest * 0.75)
  return Math.max(LOGO_SIZE.min, Math.min(largest, size % 2 === 0 ? size + 1 : size))
}

export const FIRST_PLATE: Plate = 'square'
