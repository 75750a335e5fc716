import type { Look } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawing/drawn-symbol.ts'
import thumbnail from '../thumbnail.module.css'

/** Short enough to fit the smallest symbol, of 21 modules with 4 on each side. */
export const SAMPLE_TEXT = 'TESSERA'
const PAGE = 29

/** Left, top and edge of a part of the sample, in modules. */
export type Crop = readonly [number, number, number]

type Props = {
  look: Look
  /** The part that is shown; without it, all of the sample is */
  crop?: Crop
  size?: number
}

/** A small picture of a look, drawn by the engine. */
export function StyleSample({ look, crop, size = 52 }: Props) {
  const drawn = useDrawn(SAMPLE_TEXT, look)
  const image = drawn ? `url("${drawn}")` : ''
  const background = `${image} ${crop ? placeOf(crop, size) : 'center / contain'} no-repeat #fff`
  const style = { width: size, height: size, background, forcedColorAdjust: 'none' } as const
  return <span className={thumbnail.picture} style={style} aria-hidden />
}

function placeOf([left, top, edge]: Crop, size: number): string {
  const module = size / edge
  return `${-left * module}px ${-top * module}px / ${PAGE * module}px`
}
