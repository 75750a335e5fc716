import { LRUCache } from 'lru-cache'

const OWNERS_KEPT = 20_000

/** The accounts of codes, by id. Codes that are gone have none. */
export type OwnersOf = (ids: string[]) => Promise<Map<string, string>>

/** A code never changes its owner, so that each is asked for once. */
export function keptOwners(ask: OwnersOf): OwnersOf {
  const known = new LRUCache<string, string>({ max: OWNERS_KEPT })
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id))
    const found = unknown.length > 0 ? await ask(unknown) : new Map<string, string>()
    for (const [id, owner] of found) known.set(id, owner)
    const owners = new Map(found)
    for (const id of ids) {
      const owner = known.get(id)
      if (owner !== undefined) owners.set(id, owner)
    }
    return owners
  }
}

/** Codes by their accounts. */
export function byOwner(codes: Iterable<string>, owners: Map<string, string>) {
  const grouped = new Map<string, string[]>()
  for (const code of codes) {
    const owner = owners.get(code)
    if (owner === undefined) continue
    const own = grouped.get(owner)
    if (own) own.push(code)
    else grouped.set(owner, [code])
  }
  return grouped
}
