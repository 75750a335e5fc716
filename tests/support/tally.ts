/** How many of the answers to these calls have each status. */
export async function tally(
  calls: (Response | Promise<Response>)[],
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
