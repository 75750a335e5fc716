import sharp from 'sharp'
import {
  type Artwork,
  type FrameChoice,
  type LogoPicture,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'

/** A logo as accounts have them: 512 pixels, round, with a gradient and a sign in white. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#f97316"/><stop offset="1" stop-color="#be123c"/></linearGradient></defs><circle cx="256" cy="256" r="250" fill="url(#a)"/><path d="M140 330 256 130 372 330z" fill="#fff"/></svg>`

export async function logoPicture(): Promise<LogoPicture> {
  const drawn = sharp(Buffer.from(LOGO)).ensureAlpha().raw()
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { width, height, reach: 1, data: new Uint8ClampedArray(data) }
}

/** Dots, round eyes, a gradient and a logo on its plate. */
const artwork: Artwork = {
  ...PLAIN_ARTWORK,
  modules: 'dots',
  eyeFrame: 'circle',
  eyeBall: 'circle',
  gradient: { kind: 'linear', to: '#7c3aed', angle: 45 },
  logo: { id: 'a'.repeat(43), size: 9, plate: 'round', margin: 0.5 },
}

const frame: FrameChoice = {
  shape: 'ticket',
  text: 'Scan me',
  size: 'medium',
  color: '#1e40af',
  textColor: '#ffffff',
}

export const artworks: readonly [string, Artwork][] = [
  ['logo, dots and gradient', artwork],
  ['the same in a frame', { ...artwork, frame }],
]
