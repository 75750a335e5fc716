import { fetchPart } from '../ui/late-part.ts'

/** The server's own engine, for what is drawn and measured here; fetched when it is first needed. */
export function fetchEngine() {
  return fetchPart(async () => {
    const [compact, encoding, drawing] = await Promise.all([
      import('#qr/compact.ts'),
      import('#qr/encode.ts'),
      import('#qr/svg.ts'),
    ])
    return { ...compact, ...encoding, ...drawing }
  })
}
export type Engine = NonNullable<Awaited<ReturnType<typeof fetchEngine>>>
