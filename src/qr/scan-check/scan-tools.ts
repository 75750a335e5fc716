import type { Pixels } from './pixels.ts'

/** What reads pictures; null where a picture holds no QR code that can be read, or more than one. */
export interface Decoders {
  /** ZXing-C++: the bytes of a PNG or JPEG as well as pixels */
  readonly zxing: (
    picture: Pixels | Uint8Array,
    options: { readonly tryInvert: boolean },
  ) => Promise<string | null>
  /** jsQR; never tries the negative */
  readonly jsqr: (picture: Pixels) => Promise<string | null>
}

/** All that the scan check cannot do by itself. */
export interface ScanTools extends Decoders {
  /** The exact bytes of the code's picture as it is downloaded */
  readonly deliver: (format: 'png' | 'jpg') => Promise<Uint8Array>
}
