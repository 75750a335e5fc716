import sharp, { type Sharp } from 'sharp'

const TABLE = '#8d7b68'

/** A photo, as JPEG, of a printed picture that lies a little askew on a table. */
export async function photoOf(
  picture: Uint8Array,
  {
    width = 1_600,
    angle = 8,
    change = (photo: Sharp) => photo.blur(1.2),
  }: { width?: number; angle?: number; change?: (photo: Sharp) => Sharp } = {},
): Promise<Buffer> {
  const print = await sharp(picture)
    .resize(600)
    .linear(0.82, 18)
    .rotate(angle, { background: TABLE })
    .png()
    .toBuffer()
  const table = { width, height: 1_200, channels: 3 as const, background: TABLE }
  const photo = await sharp({ create: table })
    .composite([{ input: print, gravity: 'centre' }])
    .png()
    .toBuffer()
  return change(sharp(photo)).jpeg({ quality: 85 }).toBuffer()
}
