import type { AuditEvent } from '#contract/audit.ts'
import type { CodeRow } from './codes-store.ts'

/** What is written down about a code. */
export type CodeEvent = Extract<AuditEvent, `code-${string}`>

const CONTENT = [
  'name',
  'url',
  'vanity_url',
  'style',
  'foreground_color',
  'background_color',
  'ecc',
  'compact',
  'artwork',
] as const

/** What a change did to a code. A draft that stays one, and a save without a change, are no events. */
export function happened(
  before: CodeRow,
  after: CodeRow,
  { hasNewTags }: { hasNewTags: boolean },
): CodeEvent[] {
  if (after.saved_at === null) return []
  if (before.saved_at === null) return ['code-made']
  const events: CodeEvent[] = []
  const hasNewContent = CONTENT.some((column) => before[column] !== after[column])
  if (hasNewContent || hasNewTags) events.push('code-changed')
  if (before.paused_at === null && after.paused_at !== null) events.push('code-paused')
  if (before.paused_at !== null && after.paused_at === null) events.push('code-resumed')
  return events
}
