import { CalendarClock, type LucideIcon, WifiOff } from 'lucide-react'
import type { QrCode } from '#contract/codes.ts'
import { type Reach, reachOf } from '#contract/links.ts'
import type { Tier } from '#contract/plans.ts'
import { endIfSaved, endOf, endOfNewCode } from '../expiry.ts'
import { hostOf } from '../links.ts'
import { Note, ShortNote } from '../note.tsx'

const reachTexts: Record<Reach, { text: string; short: string } | null> = {
  device: {
    text: 'this code will not scan on other devices.',
    short: 'Scans on this device only',
  },
  network: {
    text: 'this code will not scan on devices outside your network.',
    short: 'Scans in your network only',
  },
  anyone: null,
}

/** Marks the note that says when a code ends. */
export const END_ICON: LucideIcon = CalendarClock

/** Something to know before a code goes to the printer, in full and in short. */
export type PrintNote = { icon: LucideIcon; text: string; short: string }

type Subject = {
  code: QrCode | undefined
  isNew: boolean
  tier: Tier
  hostUrl: string
  /** Every screen of a demo says that it is one: its codes are not for print. */
  isDemo: boolean
}

export function printNotes(subject: Subject, now: Date): PrintNote[] {
  return [endNote(subject, now), reachNote(subject)].filter((note) => note !== null)
}

function endNote({ code, isNew, tier }: Subject, now: Date): PrintNote | null {
  const text = isNew ? endOfNewCode(tier, now) : code && endOf(code, now)
  if (!text) return null
  return { icon: END_ICON, text, short: (isNew && endIfSaved(tier, now)) || text }
}

export function reachNote({
  hostUrl,
  isDemo,
}: Pick<Subject, 'hostUrl' | 'isDemo'>): PrintNote | null {
  if (isDemo) return null
  const reach = reachTexts[reachOf(hostUrl)]
  if (!reach) return null
  const text = `${hostOf(hostUrl)} is a private address: ${reach.text}`
  return { icon: WifiOff, text, short: reach.short }
}

/** The notes in full, where the short form leaves something out. */
export function BeforePrinting({ notes }: { notes: readonly PrintNote[] }) {
  return notes
    .filter(({ text, short }) => text !== short)
    .map(({ icon, text }) => (
      <Note key={text} icon={icon}>
        {text}
      </Note>
    ))
}

/** The notes in short, for a place with little room. */
export function ShortNotes({ notes }: { notes: readonly PrintNote[] }) {
  return notes.map(({ icon, short }) => (
    <ShortNote key={short} icon={icon}>
      {short}
    </ShortNote>
  ))
}
