/** Where a short link leads at this moment, or the status it refuses with. */
export async function leadsTo(
  { origin }: { origin: string },
  name: string,
): Promise<string | number> {
  const response = await fetch(`${origin}/qr/${name}`, { redirect: 'manual' })
  await response.arrayBuffer()
  return response.headers.get('location') ?? response.status
}
