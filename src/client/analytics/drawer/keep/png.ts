/** Pixels for one of the picture's own: sharp on paper and on fine screens. */
const SCALE = 2

/** A picture in SVG as PNG. @throws where the browser cannot draw it */
export async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = await loaded(address)
    const canvas = document.createElement('canvas')
    canvas.width = SCALE * image.naturalWidth
    canvas.height = SCALE * image.naturalHeight
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await blobOf(canvas)
  } finally {
    URL.revokeObjectURL(address)
  }
}

function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new Error('the picture cannot be read'))
    image.src = address
  })
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error('the picture is too large'))
    canvas.toBlob(done, 'image/png')
  })
}
