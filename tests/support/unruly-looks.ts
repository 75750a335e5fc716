import { DEFAULT_LOOK, type Design } from '#qr/symbol/look.ts'

/** The real drawing thread, but for looks in the colors below. */
export const UNRULY_THREAD = new URL('./unruly-drawing-thread.ts', import.meta.url)

/** The thread that is given one breaks. */
export const BREAKS = '#b4ea45'
/** The thread that is given one never comes to an end. */
export const HANGS = '#4a4695'

export const DESIGN: Design = {
  ...DEFAULT_LOOK,
  text: 'https://tessera.example/qr/k7m2xq9',
}
