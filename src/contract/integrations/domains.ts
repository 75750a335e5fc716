import { HOST_MAX } from '../codes/code-values.ts'
import { destination } from '../codes/destination.ts'
import { flag, list, oneOf, ownId, text, textOrNull, timeOrNull, whole, z } from '../zod.ts'

/*
 * Domains of customers, by which their codes are reached. A claim to a host is proved by a TXT record and
 * pointed here by a CNAME or an A record.
 */

/** Days that the links of a removed domain still lead. */
export const REMOVED_DAYS = 30
/** Days without its holder's proof after which another account's proof counts. */
export const PROOF_DAYS = 7

/** Body of POST /api/domains. The server refuses hosts that no customer can have. */
export const newDomain = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1, 'Enter a domain, such as qr.example.com')
    .max(HOST_MAX, `A domain has at most ${HOST_MAX} characters`)
    .describe('Such as qr.example.com. It has to be yours.'),
})
export type NewDomain = z.input<typeof newDomain>

const isDefault = flag('New codes have their links on it.')
const HOME = 'Where its root and unknown names lead; null for a page that says so.'

/** Body of PATCH /api/domains/{id}: an absent field stays as it is. */
export const domainChange = z
  .strictObject({
    isDefault,
    homeUrl: z
      .string()
      .trim()
      .pipe(z.union([z.literal(''), destination]))
      .nullable()
      .transform((text) => text || null)
      .describe(HOME),
  })
  .partial()
export type DomainChange = z.input<typeof domainChange>

/**
 * A `pending` domain waits for its records; an `active` one has both; a `failing` one leads on though a
 * record is gone; a `removed` one leads on until `endsAt`.
 */
export const domainStates = ['pending', 'active', 'failing', 'removed'] as const

/** A record to add at the DNS provider, and what DNS answers now. */
export const dnsRecord = z.strictObject({
  type: oneOf(['TXT', 'CNAME', 'A', 'AAAA'], 'The kind of record.'),
  name: text('The whole name. Some providers want it without your domain.'),
  value: text('What to enter at your DNS provider.'),
  found: z.array(z.string()).nullable().describe('What DNS has now; null if it hasn’t answered.'),
  isThere: flag('True if DNS has the value.'),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const domain = z.strictObject({
  id: ownId,
  host: text('In lower case. Letters beyond ASCII are in Punycode.'),
  state: oneOf(
    domainStates,
    'Pending until its records are there, active, failing (leads on though a record is gone), or removed.',
  ),
  isProven: flag('True from the TXT record on: links work on it.'),
  isDefault,
  homeUrl: textOrNull(HOME),
  codes: whole('How many codes have their links on it.'),
  records: list(dnsRecord, 'The first proves that it’s yours, one of the others points it here.'),
  checkedAt: timeOrNull('When we last asked DNS; null if we haven’t.'),
  endsAt: timeOrNull('When a removed domain stops; null for any other.'),
})
export type Domain = z.infer<typeof domain>

/** `limit` is the plan's; a plan without domains keeps those that are there. */
export const domainList = z.strictObject({
  limit: whole('How many domains your plan has.'),
  domains: list(domain, 'The first one first.'),
})
export type DomainList = z.infer<typeof domainList>
