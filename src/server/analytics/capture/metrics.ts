import type { Capture } from './capture.ts'
import type { RecorderCounts } from './recorder.ts'

const counters: [keyof RecorderCounts, string, string][] = [
  ['recorded', 'scans_recorded_total', 'Scans committed to the ledger'],
  ['commits', 'scan_commits_total', 'Transactions of the recorder'],
  ['failedCommits', 'scan_commit_failures_total', 'Transactions that failed and were tried again'],
  [
    'answeredBeforeCommit',
    'answered_before_commit',
    'Redirects answered before their scan was on disk',
  ],
  ['spilled', 'scans_spilled_total', 'Scans written to a spill file'],
  ['refused', 'scans_refused_total', 'Scans that the database will never take, set aside'],
  ['lost', 'scans_lost_total', 'Scans that could neither be committed nor spilled'],
]

/** The recorder's counters for GET /metrics. */
export function captureMetrics({ recorder }: Capture) {
  const counted = counters.map(([key, name, help]) => ({
    name: `tessera_${name}`,
    help,
    type: 'counter' as const,
    value: recorder.counts[key],
  }))
  const backlog = {
    name: 'tessera_scans_waiting',
    help: 'Scans not yet committed',
    type: 'gauge' as const,
    value: recorder.backlog,
  }
  return [...counted, backlog]
}
