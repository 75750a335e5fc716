import fc from 'fast-check'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { eccLevels, styles } from '#qr/symbol/look.ts'
import { encode } from '../../src/qr/symbol/encode.ts'
import { fullSize } from '../../src/qr/symbol/matrix.ts'
import type { Picture } from '../../src/server/pictures/pictures.ts'
import { shortLink } from './any-text.ts'
import { somePicture } from './shown.ts'

type Bounds = { format?: Picture['format']; module: number; more?: number }

/** A short link in any look, at least `module` pixels a module and up to `more` pixels larger. */
export function anyPicture({ format = 'png', module, more = 600 }: Bounds): fc.Arbitrary<Picture> {
  return fc
    .record({
      text: shortLink,
      ecc: fc.constantFrom(...eccLevels),
      style: fc.constantFrom(...styles),
      preset: fc.constantFrom(...colourPresets),
      spare: fc.nat({ max: more }),
    })
    .map(({ preset: { foreground, background }, spare, ...look }) => {
      const size = module * fullSize(encode(look.text, look)) + spare
      return { ...somePicture, foreground, background, ...look, format, size }
    })
}
