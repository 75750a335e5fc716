import type { FastifyInstance } from 'fastify'
import type { WebhookType } from '#contract/integrations/webhook-values.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit, transact } from '../database/transact.ts'
import { counter, type Metric } from '../http/metrics.ts'
import type { Job } from '../jobs.ts'
import type { Mailer } from '../mail/mail-room.ts'
import { type Letter, unlinked } from '../mail/mail-template.ts'
import type { RoomDeps } from '../room.ts'
import { Endpoints, type EndpointsDeps } from './endpoints.ts'
import { changeEndpoint, type EndpointRow } from './endpoints-store.ts'
import { publish } from './events-store.ts'
import { ScanEvents, type ScanEventsDeps } from './scan-events.ts'
import { Posting, type SendOptions } from './send.ts'
import { Sender } from './sender.ts'
import { type ExpiredDeps, publishExpired, sweepWebhooks, trimWebhooks } from './upkeep.ts'
import { type WebhookRoutesDeps, webhookRoutes } from './webhook-routes.ts'

const SEND_EVERY_MS = 30_000

export type WebhooksRoomDeps = RoomDeps &
  Pick<EndpointsDeps, 'lockAccount' | 'isInPlan' | 'firstScanId'> &
  Pick<ScanEventsDeps, 'scansAfter' | 'ownedCodes'> &
  Pick<ExpiredDeps, 'expiredCodes'> &
  Pick<WebhookRoutesDeps, 'requireUser' | 'recordFor'> & {
    mailer: Mailer
    contactOf: (db: Db, userId: string) => Promise<{ email: string; emailVerified: boolean }>
    sending?: (Omit<SendOptions, 'allow'> & { waitingMax?: number }) | undefined
  }

/** Webhooks: an event is written in the transaction of the change, and sent to the addresses that want it. */
export function webhooksRoom(deps: WebhooksRoomDeps) {
  const { db, clock, log, secret, isInPlan } = deps
  const allow = deps.config.webhookAllow
  const posting = new Posting({ allow, ...deps.sending })
  const sender = new Sender({ db, clock, log, secret, posting, isInPlan, switchOff })
  const soon = () => sender.soon()
  const endpoints = new Endpoints({ ...deps, allow, soon })

  async function switchOff({ id, url, user_id }: EndpointRow, why: 'failing' | 'gone') {
    await transact(db, async (tx) => {
      await changeEndpoint(tx, id, { off_since: clock().getTime(), off_why: why })
      const { email, emailVerified } = await deps.contactOf(tx, user_id)
      const about = { emailVerified, publicUrl: deps.publicUrl }
      const letter = switchedOffLetter({ url, why }, about)
      await deps.mailer.queue(tx, {
        kind: 'webhook-off',
        to: email,
        account: user_id,
        letter,
        lifeMs: LETTER_LIFE_MS,
      })
    })
    deps.mailer.soon()
    log.info({ webhook: id, why }, 'a webhook is switched off')
  }

  /** Writes events in the transaction of their change. They are sent after its commit. */
  async function publishSoon(
    tx: Tx,
    userId: string,
    type: WebhookType,
    data: () => Promise<object[]>,
  ) {
    if (await publish(tx, { userId, type }, data, clock())) afterCommit(tx, soon)
  }

  const scanEvents = new ScanEvents({ ...deps, soon })
  const { waitingMax } = deps.sending ?? {}
  const send = async () => {
    await scanEvents.run()
    soon()
  }
  const expire = () => publishExpired({ ...deps, publish: publishSoon })
  const jobs: Job[] = [
    { name: 'tell-expired', everyMs: MINUTE_MS, run: expire },
    { name: 'trim-webhooks', everyMs: SEND_EVERY_MS, run: () => trimWebhooks(db, waitingMax) },
    { name: 'send-webhooks', everyMs: SEND_EVERY_MS, run: send },
    { name: 'sweep-webhooks', everyMs: HOUR_MS, run: () => sweepWebhooks(deps) },
  ]
  return {
    jobs,
    publish: publishSoon,
    /** Writes an event: the account has another plan. */
    publishPlan: (tx: Tx, userId: string, plan: object) =>
      publishSoon(tx, userId, 'subscription.updated', async () => [plan]),
    /** Scans of codes have come into the ledger. */
    onScanned: () => scanEvents.onScanned(),
    routes: (site: FastifyInstance) => webhookRoutes(site, { ...deps, endpoints }),
    metrics: (): Metric[] => [
      counter('webhooks_delivered_total', 'Events that an address took', sender.counts.delivered),
      counter('webhooks_failed_total', 'Tries that failed', sender.counts.failed),
    ],
    idle: () => sender.idle(),
    stop: async () => {
      await scanEvents.stop()
      await sender.stop()
    },
  }
}

/** After this time the letter would be useless. */
export const LETTER_LIFE_MS = 7 * DAY_MS

/**
 * Says that an endpoint gets nothing more, and how it is switched on again. Its address is left out if
 * that of the account is not proved: the mail may go to a stranger.
 */
export function switchedOffLetter(
  { url, why }: { url: string; why: 'failing' | 'gone' },
  { emailVerified, publicUrl }: { emailVerified: boolean; publicUrl: string },
): Letter {
  const to = emailVerified ? ` to ${unlinked(new URL(url).host)}` : ''
  return {
    subject: `Your webhook${to} is off`,
    paragraphs: [
      why === 'gone'
        ? 'Its server answered “410 Gone”, which means it doesn’t want any more events.'
        : 'Its server hasn’t accepted any event for three days.',
      'We’ve stopped sending events there. Your QR codes keep working. When the server is ready again, turn the webhook back on. We’ll then send the events that have waited for less than 30 days.',
    ],
    facts: emailVerified ? [['Address', unlinked(url)]] : [],
    button: { label: 'See my webhooks', url: `${publicUrl}/profile?settings=webhooks` },
  }
}
