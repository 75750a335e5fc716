import type { FrameChoice, LogoPicture } from '#qr/artwork/artwork.ts'

/** A logo of four pixels: red, black, half blue and nothing. */
export const logo: LogoPicture = {
  width: 2,
  height: 2,
  reach: 1.42,
  data: Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 128, 0, 0, 0, 0),
}

export const frame: FrameChoice = {
  text: 'Scan me',
  color: '#166534',
  textColor: '#ffffff',
  shape: 'ticket',
  size: 'medium',
}
