import type { Logo } from '#contract/pictures/artwork.ts'
import { sceneSvg } from '#qr/artwork/artwork-svg.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters } from '#qr/artwork/text-figures.ts'
import type { Look } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'
import { request } from '../api.ts'
import { queryClient } from '../query-client.ts'

/*
 * Pictures with artwork, drawn here. It is a part of its own: most codes have none.
 */

/** @throws TextTooWide, UnknownLetter if the frame's text cannot be drawn */
export async function drawScene(matrix: Matrix, look: Look, size: number): Promise<string> {
  const { logo, frame } = look.artwork ?? {}
  if (frame) await loadLetters()
  if (!logo) return sceneSvg(sceneOf(matrix, look), { size })
  const [address, reach] = await Promise.all([
    queryClient.fetchQuery(addressOf(logo.id)).catch(() => undefined),
    reachOf(logo.id).catch(() => undefined),
  ])
  const scene = sceneOf(matrix, { ...look, logo: reach === undefined ? undefined : { reach } })
  return sceneSvg(scene, { size, logo: address })
}

/** How much of a round plate the logo fills, as on the server; undefined if it was deleted. */
async function reachOf(id: string): Promise<number | undefined> {
  const known = { queryKey: [LOGOS] }
  const among = (logos: Logo[]) => logos.find((logo) => logo.id === id)?.reach
  const reach = among(await queryClient.ensureQueryData<Logo[]>(known))
  return reach ?? among(await queryClient.fetchQuery<Logo[]>({ ...known, staleTime: 0 }))
}

const LOGOS = '/api/logos'

/** A picture in a data: address can have no other address in it. */
const addressOf = (id: string) => ({
  queryKey: [LOGOS, id],
  queryFn: async () => asAddress(await (await request('GET', `${LOGOS}/${id}`)).blob()),
})

function asAddress(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })
}
