import { useEffect, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { type ListState, placeOf } from './code-list.ts'

const idsOf = (codes: readonly QrCode[]) => new Set(codes.map(({ id }) => id))

/** A code that was just made or restored comes into view, wherever the list stands. */
export function useReveal(
  codes: QrCode[],
  state: ListState,
  change: (change: Partial<ListState>) => void,
): void {
  const known = useRef<ReadonlySet<string>>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other codes can be new ones, never another way to look at them
  useEffect(() => {
    const before = known.current
    known.current = idsOf(codes)
    const fresh = codes.filter(({ id }) => before && !before.has(id))
    const [only] = fresh
    if (only && fresh.length === 1) change(placeOf(codes, only, state, new Date()))
  }, [codes])
}
