import { useCallback, useMemo, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'

export type Selection = {
  /** In the order of the list. */
  codes: QrCode[]
  has: (code: QrCode) => boolean
  /** With Shift, everything between this row and the last one that was ticked. */
  toggle: (code: QrCode, rows: readonly QrCode[], isRange: boolean) => void
  set: (codes: readonly QrCode[], isSelected: boolean) => void
  clear: () => void
}

/** The codes that somebody ticked. What the list does not find any more is not selected: nobody acts on what they cannot see. */
export function useSelection(found: readonly QrCode[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const set = useCallback((codes: readonly QrCode[], isSelected: boolean) => {
    setTicked((before) => afterTicking(before, codes, isSelected))
  }, [])
  // The same for as long as the page is there: no row is drawn again because another was ticked.
  const toggle = useCallback((code: QrCode, rows: readonly QrCode[], isRange: boolean) => {
    const codes = isRange ? between(rows, last.current, code) : [code]
    last.current = code.id
    setTicked((before) => afterTicking(before, codes, !before.has(code.id)))
  }, [])
  return useMemo(() => {
    const has = ({ id }: QrCode) => ticked.has(id)
    const codes = ticked.size === 0 ? [] : found.filter(has)
    return { codes, has, toggle, set, clear: () => setTicked(new Set()) }
  }, [ticked, found, toggle, set])
}

function afterTicking(
  before: ReadonlySet<string>,
  codes: readonly QrCode[],
  isSelected: boolean,
): ReadonlySet<string> {
  const next = new Set(before)
  for (const { id } of codes) {
    if (isSelected) next.add(id)
    else next.delete(id)
  }
  return next
}

/** The rows from one to the other, whichever is above; only the second where the first is not there. */
export function between(rows: readonly QrCode[], from: string | null, to: QrCode): QrCode[] {
  const ends = [rows.findIndex(({ id }) => id === from), rows.indexOf(to)].sort((a, b) => a - b)
  const [first = -1, second = -1] = ends
  return first < 0 ? [to] : rows.slice(first, second + 1)
}
