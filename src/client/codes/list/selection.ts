import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import type { CodeList } from './code-list.ts'

export type Selection = {
  /** In the order of the list. */
  codes: QrCode[]
  has: (code: QrCode) => boolean
  /** `isRange`: also every row of the page between this one and the last that was ticked, as with Shift. */
  toggle: (code: QrCode, isRange: boolean) => void
  set: (codes: readonly QrCode[], isSelected: boolean) => void
  clear: () => void
}

/** The ticked codes that the list finds: a user does not act on codes that they cannot see. */
export function useSelection({ found, rows }: Pick<CodeList, 'found' | 'rows'>): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const shown = useRef(rows)
  useEffect(() => {
    shown.current = rows
  }, [rows])
  const set = useCallback((codes: readonly QrCode[], isSelected: boolean) => {
    setTicked((before) => afterTicking(before, codes, isSelected))
  }, [])
  // Keeps its identity: ticking one row draws no other row again.
  const toggle = useCallback((code: QrCode, isRange: boolean) => {
    const codes = isRange ? between(shown.current, last.current, code) : [code]
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

/** The rows between two rows in either direction, both included; only `to` if `from` is not there. */
export function between(rows: readonly QrCode[], from: string | null, to: QrCode): QrCode[] {
  const ends = [rows.findIndex(({ id }) => id === from), rows.indexOf(to)].sort((a, b) => a - b)
  const [first = -1, second = -1] = ends
  return first < 0 ? [to] : rows.slice(first, second + 1)
}
