import { Stack } from '@mantine/core'
import { CalendarClock, type LucideIcon, WifiOff } from 'lucide-react'
import type { Tier } from '#contract/billing/plans.ts'
import { statusOf } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { type Reach, reachOf } from '#contract/links.ts'
import { endIfSaved, endOf } from '../../ending.tsx'
import { ShortNote } from '../../note.tsx'

const reachTexts: Record<Reach, string | null> = {
  device: 'this code won’t scan on other devices.',
  network: 'this code won’t scan outside your network.',
  anyone: null,
}

/** Marks the note that says when a code ends. */
export const END_ICON: LucideIcon = CalendarClock

/** The notes describe Save and every download for screen readers. */
export const NOTES_ID = 'print-notes'

/** Something to know before a code goes to the printer. */
export type PrintNote = { icon: LucideIcon; text: string }

type Subject = {
  code: QrCode | undefined
  isNew: boolean
  tier: Tier
  /** The link in the code's picture */
  link: string
  /** Every screen of a demo says that it is one: its codes are not for print. */
  isDemo: boolean
}

export function printNotes(subject: Subject, now: Date): PrintNote[] {
  return [endNote(subject, now), reachNote(subject)].filter((note) => note !== null)
}

/** The form says above its fields that a code has ended. */
function endNote({ code, isNew, tier }: Subject, now: Date): PrintNote | null {
  if (!isNew && code && statusOf(code, now) === 'expired') return null
  const text = isNew ? endIfSaved(tier, now) : code && endOf(code, now)
  return text ? { icon: END_ICON, text } : null
}

export function reachNote({ link, isDemo }: Pick<Subject, 'link' | 'isDemo'>): PrintNote | null {
  const reach = isDemo ? null : reachTexts[reachOf(link)]
  const { host } = new URL(link)
  return reach ? { icon: WifiOff, text: `${host} is a private address: ${reach}` } : null
}

/** The notes where saving or printing is decided. */
export function PrintNotes({ notes, flex }: { notes: readonly PrintNote[]; flex?: string }) {
  if (notes.length === 0) return null
  return (
    <Stack id={NOTES_ID} flex={flex} gap={4}>
      {notes.map(({ icon, text }) => (
        <ShortNote key={text} icon={icon}>
          {text}
        </ShortNote>
      ))}
    </Stack>
  )
}
