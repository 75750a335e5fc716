/** Values of one facet that a code has on one UTC day, besides the rest. */
export const FACET_VALUES_MAX = 500
/** All values beyond the bound count as this one. */
export const REST = 'Other'

/**
 * The same sum in at most `max` values and the rest. Values that are known stay; of the new ones the
 * first by name get the room that is left. So which of them the rest holds depends on who came first.
 * @param known the values that the code has already on that day, in the numbers or in this map
 */
export function boundFacet(
  persons: ReadonlyMap<string, number>,
  known: ReadonlySet<string>,
  max = FACET_VALUES_MAX,
): Map<string, number> {
  const named = [...known].filter((value) => value !== REST).length
  const isNew = (value: string) => value !== REST && !known.has(value)
  const added = [...persons.keys()].filter(isNew)
  if (named + added.length <= max) return new Map(persons)
  const taken = new Set(added.sort().slice(0, Math.max(0, max - named)))
  const bounded = new Map<string, number>()
  for (const [value, scans] of persons) {
    const kept = known.has(value) || taken.has(value) ? value : REST
    bounded.set(kept, (bounded.get(kept) ?? 0) + scans)
  }
  return bounded
}
