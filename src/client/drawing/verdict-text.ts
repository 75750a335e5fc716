import type { Verdict } from '#qr/scan-check/verdict.ts'

/** The scan check's verdicts as people read them. */
export const verdictTexts: Record<Verdict, string> = {
  excellent: 'Scans: excellent',
  good: 'Scans: good',
  risky: 'May not scan',
  unreadable: 'Hard to scan',
}
