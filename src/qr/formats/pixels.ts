/**
 * A picture as decoders take it and a canvas's ImageData holds it: red, green, blue, alpha, each 0
 * to 255, row by row from the top left.
 */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray<ArrayBuffer>
}
