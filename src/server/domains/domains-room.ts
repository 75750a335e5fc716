import type { FastifyInstance } from 'fastify'
import pLimit from 'p-limit'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Mailer } from '../mail/mail-room.ts'
import { type Letter, unlinked } from '../mail/mail-template.ts'
import type { Room, RoomDeps } from '../room.ts'
import { Dns } from './dns.ts'
import { type DomainRoutesDeps, domainRoutes, tlsAskRoute } from './domain-routes.ts'
import { Domains, type DomainsDeps } from './domains.ts'
import { dueHosts, endedDomains, removeDomain } from './domains-store.ts'
import type { DomainRow } from './judge.ts'
import type { Sites } from './sites.ts'

export type DomainsRoomDeps = RoomDeps &
  Pick<DomainsDeps, 'entitlementsOf' | 'lockAccount' | 'leaveDomain' | 'codesByDomain'> &
  Pick<DomainRoutesDeps, 'requireUser' | 'recordFor'> & {
    bus: ProcessBus
    sites: Sites
    mailer: Mailer
    contactOf: (db: Db, userId: string) => Promise<{ email: string; emailVerified: boolean }>
  }

const CHANNEL = 'tessera_domains'
/** Hosts that one run of the job checks, and those that it asks about at once. */
const CHECKED_AT_ONCE = 200
const ASKED_AT_ONCE = 10
const LETTER_LIFE_MS = 7 * DAY_MS

/** Domains of customers: who has which host, and on which hosts names lead. */
export function domainsRoom(deps: DomainsRoomDeps) {
  const { db, clock, log, bus, config, publicUrl, mailer, sites } = deps
  bus.read(CHANNEL, { hear: () => void sites.refresh(), missed: () => void sites.refresh() })
  const onChanged = async () => {
    bus.tell(CHANNEL, '').catch((err) => log.warn({ err }, 'change of a domain not announced'))
    mailer.soon()
    await sites.refresh()
  }

  async function tellLost(tx: Tx, { user_id, host }: DomainRow) {
    const { email, emailVerified } = await deps.contactOf(tx, user_id)
    await mailer.queue(tx, {
      kind: 'domain-lost',
      to: email,
      account: user_id,
      letter: lostLetter(host, { emailVerified, publicUrl }),
      lifeMs: LETTER_LIFE_MS,
    })
  }

  const dns = new Dns(new URL(publicUrl).hostname, config.dnsServers)
  const domains = new Domains({ ...deps, dns, tellLost, onChanged })

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
      tlsAskRoute(server, sites, config.tlsAskToken)
    },
    routes: (site: FastifyInstance) => domainRoutes(site, { ...deps, domains }),
    jobs: [
      { name: 'check-domains', everyMs: MINUTE_MS, run: check },
      { name: 'end-domains', everyMs: HOUR_MS, run: end },
    ],
    stop: () => sites.stop(),
  } satisfies Room
}

/** Says that another account has proved a host. */
export function lostLetter(
  host: string,
  { emailVerified, publicUrl }: { emailVerified: boolean; publicUrl: string },
): Letter {
  return {
    subject: `Your domain${emailVerified ? ` ${unlinked(host)}` : ''} has a new owner here`,
    paragraphs: [
      'Its DNS record with your code was gone for seven days, and another account has now proved that it owns the domain. Links on this domain no longer lead to your QR codes. Your links on our own address still work.',
      'If the domain is yours, add your DNS record again and remove any that you don’t know.',
    ],
    facts: emailVerified ? [['Domain', unlinked(host)]] : [],
    button: { label: 'See my domains', url: `${publicUrl}/profile?settings=domains` },
  }
}
