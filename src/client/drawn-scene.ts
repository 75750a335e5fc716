import { sceneSvg } from '#qr/artwork/artwork-svg.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters } from '#qr/lettering/text-figures.ts'
import type { Look } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'
import { request } from './api.ts'

/*
 * Pictures with artwork, drawn here. It is a part of its own: most codes have none.
 */

/** @throws TextTooWide, UnknownLetter where the frame's text cannot be drawn */
export async function drawScene(matrix: Matrix, look: Look, size: number): Promise<string> {
  const { logo, frame } = look.artwork ?? {}
  if (frame) await loadLetters()
  const address = logo ? await logoAddress(logo.id).catch(() => undefined) : undefined
  return sceneSvg(sceneOf(matrix, look), { size, logo: address })
}

/** A picture in a data: address can have no other address in it. */
async function logoAddress(id: string): Promise<string> {
  const known = addresses.get(id)
  if (known) return known
  const picture = await (await request('GET', `/api/logos/${id}`)).blob()
  const address = await asAddress(picture)
  if (addresses.size === ADDRESSES_MAX) addresses.clear()
  addresses.set(id, address)
  return address
}

const ADDRESSES_MAX = 4
const addresses = new Map<string, string>()

function asAddress(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })
}
