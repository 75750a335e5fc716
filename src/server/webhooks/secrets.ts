import { hkdfSync } from 'node:crypto'

/** Standard Webhooks asks for 24 to 64 bytes, in base64 after this. */
const PREFIX = 'whsec_'
const BYTES = 32

/**
 * The secret of an endpoint. It is made from the server's key (RFC 5869) and stored nowhere: a copy of
 * the database signs nothing.
 */
export function secretOf(key: string, { id, no }: { id: string; no: number }): string {
  const bytes = hkdfSync('sha256', key, '', `Tessera: webhook ${id} ${no}`, BYTES)
  return PREFIX + Buffer.from(bytes).toString('base64')
}

/** The secrets that sign now, the newest first. */
export function secretsNow(
  key: string,
  row: { id: string; secret_no: number; former_until: number | null },
  now: Date,
): string[] {
  const { id, secret_no: no, former_until } = row
  const hasFormer = former_until !== null && former_until > now.getTime()
  return [no, ...(hasFormer ? [no - 1] : [])].map((each) => secretOf(key, { id, no: each }))
}
