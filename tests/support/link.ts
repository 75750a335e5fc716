import type { Tessera } from './tessera.ts'

/** Where a short link leads at this moment, or the status it refuses with. */
export async function leadsTo(tessera: Tessera, name: string): Promise<string | number> {
  const response = await fetch(`${tessera.origin}/qr/${name}`, { redirect: 'manual' })
  await response.arrayBuffer()
  return response.headers.get('location') ?? response.status
}
