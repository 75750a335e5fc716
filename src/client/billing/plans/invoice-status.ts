import type { StatusKind } from '../status-badge.tsx'

const known: Record<string, { text: string; kind: StatusKind }> = {
  paid: { text: 'Paid', kind: 'good' },
  open: { text: 'Due', kind: 'warning' },
  uncollectible: { text: 'Not paid', kind: 'bad' },
}

/** The provider's status of an invoice in our words, and how its badge looks. */
export function invoiceStatus(status: string): { text: string; kind: StatusKind } {
  const text = status.charAt(0).toUpperCase() + status.slice(1)
  return known[status] ?? { text, kind: 'neutral' }
}
