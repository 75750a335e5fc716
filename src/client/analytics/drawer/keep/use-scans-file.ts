import { useEffect, useRef, useState } from 'react'
import type { ScansFile } from '#contract/analytics/figures.ts'
import { formatDay } from '../../../dates.ts'
import { saveFile } from '../../../files/save-file.ts'
import { counted } from '../../../ui/formats.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { callQuery } from '../asked/view.ts'
import type { Asked } from '../queries.ts'
import { nounOf } from '../words.ts'
import { askScansFile, fetchScans, HELD_MAX, letBrowserSave } from './scans-file.ts'

const FAILED = 'The scans were not saved: the download broke off. Please try again.'

/** How far a file of scans is: `total` is null until it is known. */
export type Coming = { noun: string; come: number; total: number | null }

/** Saves the single scans that a view asks for, one file at a time. */
export function useScansFile() {
  const [coming, setComing] = useState<Coming | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const way = useRef(new AbortController())
  useEffect(() => () => way.current.abort(), [])

  const save = async ({ code, view }: Asked) => {
    way.current.abort()
    way.current = new AbortController()
    const { signal } = way.current
    const noun = nounOf(view.kind)
    const query = callQuery(code, { ...view, by: undefined })
    setSaid(null)
    setComing({ noun, come: 0, total: null })
    try {
      const file = await askScansFile(query)
      signal.throwIfAborted()
      if (isHeld(file)) {
        const { scans: total, name } = file
        const tell = (come: number) => setComing({ noun, total, come: Math.min(come, total) })
        saveFile(await fetchScans(query, { signal, tell }), name)
      } else if (file.scans !== 0) letBrowserSave(query)
      setSaid(wordsOn(file, noun))
    } catch (error) {
      if (signal.aborted) return
      reportFailure(error, FAILED)
    }
    setComing(null)
  }
  const cancel = () => {
    way.current.abort()
    setComing(null)
  }
  return { coming, said, save, cancel, close: () => setSaid(null) }
}

const isHeld = (file: ScansFile): file is ScansFile & { scans: number } =>
  file.scans !== null && file.scans > 0 && file.scans <= HELD_MAX

/** What became of it. */
function wordsOn(file: ScansFile, noun: string): string {
  const { scans, from, isCut } = file
  const kept = isCut ? ` Single ${noun}s are kept since ${formatDay(from)}.` : ''
  if (scans === 0) return `There are no ${noun}s to save.${kept}`
  const begins = kept && `${kept} The file begins there.`
  if (isHeld(file)) return `${counted(scans as number, noun)} saved.${begins}`
  const many = scans === null ? '' : ` with ${counted(scans, noun)}`
  return `Your browser saves the file${many} now. Its list of downloads shows how far it is.${begins}`
}
