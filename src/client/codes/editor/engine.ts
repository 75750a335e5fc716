import { fetchPart } from '../../ui/late-part.ts'

/** The server's own engine, for what is drawn and measured here; fetched when it is first needed. */
export function fetchEngine() {
  return fetchPart(async () => {
    const [encoding, drawing] = await Promise.all([
      import('#qr/symbol/encode.ts'),
      import('#qr/formats/svg.ts'),
    ])
    return { ...encoding, ...drawing }
  })
}
export type Engine = NonNullable<Awaited<ReturnType<typeof fetchEngine>>>
