import type { FastifyInstance } from 'fastify'
import pLimit from 'p-limit'
import type { DnsRecord, Domain } from '#contract/integrations/domains.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { applyCommonHeaders } from '../http/policy/site-policy.ts'
import type { LetterContext, MailOwner } from '../mail/mail-room.ts'
import { type Letter, settingsButton, unlinked } from '../mail/mail-template.ts'
import type { Room, RoomDeps } from '../room.ts'
import { dnsOf } from './dns.ts'
import { type DomainRoutesDeps, domainRoutes, tlsAskRoute } from './domain-routes.ts'
import { claimedDomains, type DomainsDeps } from './domains.ts'
import { dueHosts, endedDomains, removeDomain } from './domains-store.ts'
import type { HeldDomains } from './held-domains.ts'
import { type DomainRow, presentDomain } from './judge.ts'

export type DomainsRoomDeps = RoomDeps &
  Pick<DomainsDeps, 'entitlementsOf' | 'leaveDomain' | 'codesByDomain' | 'record'> &
  Pick<DomainRoutesDeps, 'requireUser'> & {
    bus: ProcessBus
    held: HeldDomains
    mailOwner: MailOwner
  }

const CHANNEL = 'tessera_domains'
/** Hosts that one run of the job checks, and those that it asks about at once. */
const CHECKED_AT_ONCE = 200
const ASKED_AT_ONCE = 10

/** Domains of customers: who has which host, and on which hosts names lead. */
export function domainsRoom(deps: DomainsRoomDeps) {
  const { db, clock, log, bus, config, publicUrl, held } = deps
  bus.read(CHANNEL, { hear: () => void held.refresh(), missed: () => void held.refresh() })
  const onChanged = async () => {
    bus.tell(CHANNEL, '').catch((err) => log.warn({ err }, 'change of a domain not announced'))
    await held.refresh()
  }

  const ours = new URL(publicUrl).hostname

  async function tell(tx: Tx, claim: DomainRow, what: 'lost' | 'failing') {
    const letterOf = what === 'lost' ? lostLetter : failingLetter
    await deps.mailOwner(tx, claim.workspace_id, `domain-${what}`, (context) =>
      letterOf(presentDomain(claim, ours, 0), context),
    )
  }

  const dns = dnsOf(ours, config.dnsServers)
  const domains = claimedDomains({ ...deps, dns, tell, onChanged })

  async function check() {
    const limit = pLimit(ASKED_AT_ONCE)
    const hosts = await dueHosts(db, clock(), CHECKED_AT_ONCE)
    await Promise.all(hosts.map((host) => limit(() => domains.checkHost(host))))
  }

  async function end() {
    for (const { id } of await endedDomains(db, clock())) {
      await transact(db, async (tx) => {
        await deps.leaveDomain(tx, id)
        await removeDomain(tx, id)
      })
      await onChanged()
    }
  }

  return {
    publicRoutes: async (server: FastifyInstance) => {
      applyCommonHeaders(server, config)
      tlsAskRoute(server, held, config.tlsAskToken)
    },
    routes: (site: FastifyInstance) => domainRoutes(site, { ...deps, domains }),
    jobs: [
      { name: 'check-domains', everyMs: MINUTE_MS, run: check },
      { name: 'end-domains', everyMs: HOUR_MS, run: end },
    ],
    stop: () => held.stop(),
  } satisfies Room
}

const named = (host: string, { emailVerified }: LetterContext) =>
  emailVerified ? ` ${unlinked(host)}` : ''
const domainsButton = (context: LetterContext) =>
  settingsButton(context, 'See my domains', 'domains')

/** Says that another account has proved a host. */
function lostLetter({ host }: Domain, place: LetterContext): Letter {
  return {
    subject: `Your domain${named(host, place)} has a new owner here`,
    paragraphs: [
      'Its DNS record with your code was gone for seven days, and another account has now proved that it owns the domain. Links on this domain no longer lead to your QR codes. Your links on our own address still work.',
      'If the domain is yours, add your DNS record again and remove any that you don’t know.',
    ],
    facts: place.emailVerified ? [['Domain', unlinked(host)]] : [],
    button: domainsButton(place),
  }
}

/** Says that a host has lacked a record for an hour, and what that costs. */
function failingLetter(
  { host, records: [proof, ...pointers] }: Domain,
  place: LetterContext,
): Letter {
  const isMissing = ({ found, isThere }: DnsRecord) => found !== null && !isThere
  const missing = pointers.every(isMissing) ? pointers : []
  const text =
    missing.length > 0
      ? 'Your domain hasn’t pointed here for the past hour, so codes printed with it may lead nowhere. Add a record for it again at your DNS provider.'
      : 'The TXT record that proves you own the domain is missing. Your links still work, but after seven days without it someone else can take over the domain here.'
  if (proof && isMissing(proof)) missing.unshift(proof)
  return {
    subject: `Your domain${named(host, place)} needs a DNS record again`,
    paragraphs: [text],
    facts: place.emailVerified
      ? missing.map(({ type, name, value }) => [type, `${unlinked(name)} ${unlinked(value)}`])
      : [],
    button: domainsButton(place),
  }
}
