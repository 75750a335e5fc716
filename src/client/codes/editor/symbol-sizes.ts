import { useEffect, useState } from 'react'
import { type Ecc, eccLevels } from '#qr/symbol/look.ts'
import { type Engine, fetchEngine } from '../../drawn-symbol.ts'

/** Modules along an edge without the quiet zone, for the link as it is and in capitals. */
export type SymbolSize = { plain: number; compact: number }
export type SymbolSizes = Record<Ecc, SymbolSize>

/** The symbol's size at each level of error correction; undefined until it is known. */
export function useSymbolSizes(link: string): SymbolSizes | undefined {
  const [sizes, setSizes] = useState<SymbolSizes>()
  useEffect(() => {
    let current = true
    void fetchEngine().then((engine) => engine && current && setSizes(sizesOf(link, engine)))
    return () => {
      current = false
    }
  }, [link])
  return sizes
}

/** Encodes the link at every level, which takes under a millisecond. */
export function sizesOf(link: string, { encode }: Pick<Engine, 'encode'>): SymbolSizes {
  const sizeOf = (ecc: Ecc, compact: boolean) => encode(link, { ecc, compact }).size
  const sizes = eccLevels.map((ecc) => [
    ecc,
    { plain: sizeOf(ecc, false), compact: sizeOf(ecc, true) },
  ])
  return Object.fromEntries(sizes) as SymbolSizes
}

/** Says how much smaller capitals make this code. */
export function compactText(size: SymbolSize | undefined): string {
  if (size && size.compact >= size.plain) return 'Makes no difference for this link.'
  const numbers = size ? `: ${size.compact} instead of ${size.plain} modules wide` : ''
  return `Prints the link in capital letters, which makes the symbol smaller${numbers}. It leads to the same page.`
}
