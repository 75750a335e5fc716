import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS } from '#contract/account-settings.ts'

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

export type ChosenPicture = { file: File; url: string }

/** Looks at a file before it is sent: the address of its preview, or why the server would refuse it. */
export async function readPicture(file: File): Promise<ChosenPicture | { refusal: string }> {
  if (!PICTURE_TYPES.includes(file.type)) return { refusal: 'Use a PNG, JPG or WebP file.' }
  if (file.size > PICTURE_MAX_BYTES) {
    const megabytes = (file.size / 2 ** 20).toFixed(1)
    return { refusal: `This picture has ${megabytes} MB. Use one of at most 5 MB.` }
  }
  const url = URL.createObjectURL(file)
  const pixels = await pixelsOf(url)
  if (pixels <= PICTURE_MAX_PIXELS && pixels > 0) return { file, url }
  URL.revokeObjectURL(url)
  if (pixels === 0) return { refusal: 'This picture cannot be read. Use another one.' }
  return {
    refusal: `This picture has ${Math.ceil(pixels / 1e6)} megapixels. Use one of at most 16.`,
  }
}

/** 0 for what is no picture. */
function pixelsOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const picture = new Image()
    picture.onload = () => resolve(picture.naturalWidth * picture.naturalHeight)
    picture.onerror = () => resolve(0)
    picture.src = url
  })
}
