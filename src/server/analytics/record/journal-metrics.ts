import type { Metric } from '../../http/metrics.ts'
import type { Journal, JournalCounts } from './journal/journal.ts'

const counters: [keyof JournalCounts, string, string][] = [
  ['written', 'scans_written_total', 'Scans written to the journal on disk'],
  ['writes', 'journal_writes_total', 'Writes of the journal, each for all scans that had come'],
  ['failedWrites', 'journal_write_failures_total', 'Writes that failed and were tried again'],
  ['answeredEarly', 'answered_before_commit', 'Redirects answered before their scan was on disk'],
  ['lost', 'scans_lost_total', 'Scans for which neither disk nor journal had room'],
]

type Beside = { ownFolded: number; max: number; now: number }

/** What GET /metrics tells of a journal. */
export function journalMetrics(journal: Journal, { ownFolded, max, now }: Beside): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({
    ...{ name: `tessera_${name}`, help, value },
    type: 'gauge',
  })
  const { counts, waiting, oldestAt = now } = journal
  return [
    ...counters.map(([key, name, help]) => ({
      ...{ name: `tessera_${name}`, help, value: counts[key] },
      type: 'counter' as const,
    })),
    gauge('scans_waiting', 'Scans not yet in the numbers', waiting + counts.written - ownFolded),
    gauge('journal_bytes', 'Bytes of journals that are not folded yet', journal.bytes),
    gauge('journal_max_bytes', 'JOURNAL_MAX: beyond it scans are lost', max),
    gauge(
      'journal_oldest_scan_ms',
      'Age of the oldest scan that is not in the numbers',
      Math.max(0, Math.round(now - oldestAt)),
    ),
    gauge(
      'journal_stalled',
      '1 while the disk does not write and redirects go out before it does',
      journal.isLate ? 1 : 0,
    ),
  ]
}
