import { HOST_MAX } from '../code-values.ts'
import { destination } from '../codes.ts'
import { z } from '../zod.ts'

/*
 * Domains of customers, by which their codes are reached. A claim to a host is proved by a TXT record and
 * pointed here by a CNAME or an A record.
 */

/** Days that the links of a removed domain still lead. */
export const REMOVED_DAYS = 30
/** Days without its holder's proof after which another account's proof counts. */
export const PROOF_DAYS = 7

const instant = z.iso.datetime()

/** Body of POST /api/domains. The server refuses hosts that no customer can have. */
export const newDomain = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1, 'Enter a domain, such as qr.example.com')
    .max(HOST_MAX, `A domain has at most ${HOST_MAX} characters`),
})
export type NewDomain = z.input<typeof newDomain>

/** Body of PATCH /api/domains/{id}: an absent field stays as it is. */
export const domainChange = z
  .strictObject({
    /** New codes have their links on it */
    isDefault: z.boolean(),
    /** Where its root and unknown names lead; null for a page that says so */
    homeUrl: z
      .string()
      .trim()
      .pipe(z.union([z.literal(''), destination]))
      .nullable()
      .transform((text) => text || null),
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
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
  name: z.string(),
  value: z.string(),
  /** Null where DNS has not answered */
  found: z.array(z.string()).nullable(),
  isThere: z.boolean(),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const domain = z.strictObject({
  id: z.string(),
  host: z.string(),
  state: z.enum(domainStates),
  /** Its TXT record was seen, so links work on it */
  isProven: z.boolean(),
  isDefault: z.boolean(),
  homeUrl: z.string().nullable(),
  /** Codes that have their links on it */
  codes: z.int(),
  /** The first proves the domain; one of the others points it here. */
  records: z.array(dnsRecord),
  checkedAt: instant.nullable(),
  endsAt: instant.nullable(),
})
export type Domain = z.infer<typeof domain>

/** `limit` is the plan's; a plan without domains keeps those that are there. */
export const domainList = z.strictObject({ limit: z.int(), domains: z.array(domain) })
export type DomainList = z.infer<typeof domainList>
