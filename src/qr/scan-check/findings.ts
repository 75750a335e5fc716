/** How a picture is shown to the decoders: as delivered, at 2 pixels a module, out of focus, in the dusk. */
export const scanConditions = ['asIs', 'small', 'blurred', 'lowLight'] as const
export type ScanCondition = (typeof scanConditions)[number]

export type DecoderName = 'zxing' | 'jsqr'

/** Which decoder reads the code in which condition, without trying the picture's negative. */
export type Reads = Record<ScanCondition, Record<DecoderName, boolean>>

/** What the scan check measures before it judges. */
export interface Findings {
  /** Between the two colours, 1 to 21 */
  readonly contrast: number
  /** The foreground is the lighter colour */
  readonly inverted: boolean
  readonly reads: Reads
  /** ZXing reads what is delivered once it may try the negative too, as many phones do */
  readonly negativeReads: boolean
  /** Share of the symbol that can be covered, 0 to 1 */
  readonly damageMargin: number
}
