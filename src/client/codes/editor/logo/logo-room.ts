import { useEffect, useState } from 'react'
import type { LogoPlace } from '#qr/artwork/artwork.ts'
import type { Ecc } from '#qr/symbol/look.ts'
import { importLazily } from '../../../ui/late-part.ts'
import { useSymbolSizes } from '../symbol-sizes.ts'

type RoomPart = typeof import('#qr/artwork/logo-room.ts')

/** How much room a code has for a logo, and what a place costs; undefined until that is known. */
export function useLogoRoom(link: string, compact: boolean) {
  const sizes = useSymbolSizes(link)
  const [part, setPart] = useState<RoomPart>()
  useEffect(() => {
    let current = true
    void importLazily(() => import('#qr/artwork/logo-room.ts')).then(
      (loaded) => current && setPart(loaded),
    )
    return () => {
      current = false
    }
  }, [])
  if (!sizes || !part) return undefined
  const edgeAt = (ecc: Ecc) => sizes[ecc][compact ? 'compact' : 'plain']
  return {
    largest: (ecc: Ecc, plate: LogoPlace['plate']) => part.largestLogo(edgeAt(ecc), ecc, plate),
    /** It takes under a millisecond: nobody has to wait for it. */
    cost: (ecc: Ecc, place: Pick<LogoPlace, 'size' | 'plate'>) =>
      part.logoCost(edgeAt(ecc), ecc, place),
  }
}
