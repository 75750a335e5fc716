import type { FastifyInstance } from 'fastify'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { programOf } from '../actor.ts'
import type { Recording } from '../audit.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { tryAgainIn } from '../http/errors.ts'
import { counter, type Metric } from '../http/metrics.ts'
import type { Job } from '../jobs.ts'
import type { LetterContext, MailOwner } from '../mail/mail-room.ts'
import { type Letter, settingsButton, unlinked } from '../mail/mail-template.ts'
import type { RoomDeps } from '../room.ts'
import { type EndpointsDeps, type RecordChange, webhookEndpoints } from './endpoints.ts'
import { changeEndpoint, type EndpointRow } from './endpoints-store.ts'
import { publisher } from './events-store.ts'
import { type ScanEventsDeps, scanEvents } from './scan-events.ts'
import { type SendOptions, webhookPosting } from './send.ts'
import { webhookSender } from './sender.ts'
import { type ExpiredDeps, publishExpired, sweepWebhooks, trimWebhooks } from './upkeep.ts'
import { type WebhookRoutesDeps, webhookRoutes } from './webhook-routes.ts'

const SEND_EVERY_MS = 30_000
const TOO_MANY_ADDRESSES =
  'API keys have named as many webhook addresses as we email the owner about in an hour. Please try again later.'

export type WebhooksRoomDeps = RoomDeps &
  Pick<EndpointsDeps, 'isInPlan' | 'firstScanId'> &
  Pick<ScanEventsDeps, 'scansAfter' | 'settledMs' | 'ownedCodes'> &
  Pick<ExpiredDeps, 'expiredCodes'> &
  Pick<WebhookRoutesDeps, 'requireUser'> & {
    record: Recording<Parameters<RecordChange>[2]>
    mailOwner: MailOwner
    sending?: (Omit<SendOptions, 'allow'> & { waitingMax?: number }) | undefined
  }

/** Webhooks: an event is written in the transaction of the change, and sent to the addresses that want it. */
export function webhooksRoom(deps: WebhooksRoomDeps) {
  const { db, clock, log, mailOwner } = deps
  const allow = deps.config.webhookAllow
  const posting = webhookPosting({ allow, ...deps.sending })
  const sender = webhookSender({ ...deps, posting, switchOff })
  const { soon } = sender
  const endpoints = webhookEndpoints({ ...deps, allow, soon, record })

  async function switchOff({ id, url, workspace_id }: EndpointRow, why: 'failing' | 'gone') {
    await transact(db, async (tx) => {
      await changeEndpoint(tx, id, { off_since: clock().getTime(), off_why: why })
      await mailOwner(tx, workspace_id, 'webhook-off', (context) =>
        switchedOffLetter({ url, why }, context),
      )
    })
    log.info({ webhook: id, why }, 'a webhook is switched off')
  }

  /** Writes to the account's history, and mails the owner the addresses that programs with a key name. */
  async function record(...[tx, actor, event, id, newUrl]: Parameters<RecordChange>) {
    await deps.record(tx, actor, event, id)
    const program = programOf({ actor })
    if (!program || newUrl === undefined) return
    const about = { url: newUrl, key: program.name, isNew: event === 'webhook-added' }
    const isTold = await mailOwner(tx, actor.workspaceId, event, (context) =>
      addressByKeyLetter(about, context),
    )
    // No address that a key names goes without a mail.
    if (!isTold) throw tryAgainIn(HOUR_MS / SECOND_MS, 'rate_limited', TOO_MANY_ADDRESSES)
  }

  const publish = publisher(clock, soon)
  const scans = scanEvents({ ...deps, soon })
  const { waitingMax } = deps.sending ?? {}
  const send = async () => {
    await scans.run()
    soon()
  }
  const expire = () => publishExpired({ ...deps, publish })
  const jobs: Job[] = [
    { name: 'tell-expired', everyMs: MINUTE_MS, run: expire },
    { name: 'trim-webhooks', everyMs: SEND_EVERY_MS, run: () => trimWebhooks(db, waitingMax) },
    { name: 'send-webhooks', everyMs: SEND_EVERY_MS, run: send },
    { name: 'sweep-webhooks', everyMs: HOUR_MS, run: () => sweepWebhooks(deps) },
  ]
  return {
    jobs,
    publish,
    /** Writes an event: the account has another plan. */
    publishPlan: (tx: Tx, workspaceId: WorkspaceId, plan: object) =>
      publish(tx, workspaceId, 'subscription.updated', async () => [plan]),
    /** Scans of codes have come into the ledger. */
    onScanned: scans.onScanned,
    routes: (site: FastifyInstance) => webhookRoutes(site, { ...deps, endpoints }),
    metrics: (): Metric[] => [
      counter('webhooks_delivered_total', 'Events that an address took', sender.counts.delivered),
      counter('webhooks_failed_total', 'Tries that failed', sender.counts.failed),
    ],
    idle: sender.idle,
    stop: async () => {
      await scans.stop()
      await sender.stop()
    },
  }
}

/** Says that an endpoint gets nothing more, and how it is switched on again. */
export function switchedOffLetter(
  { url, why }: { url: string; why: 'failing' | 'gone' },
  context: LetterContext,
): Letter {
  const { emailVerified } = context
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
    button: settingsButton(context, 'See my webhooks', 'webhooks'),
  }
}

/** Says that a program with a key sends the account's events to an address. */
export function addressByKeyLetter(
  { url, key, isNew }: { url: string; key: string; isNew: boolean },
  context: LetterContext,
): Letter {
  const { emailVerified } = context
  const by = emailVerified ? `the API key “${unlinked(key)}”` : 'one of your API keys'
  return {
    subject: `An API key ${isNew ? 'added a webhook' : 'changed a webhook’s address'}`,
    paragraphs: [
      `A program with ${by} did this. From now on, events of your account are sent to that address.`,
    ],
    facts: emailVerified ? [['Address', unlinked(url)]] : [],
    button: settingsButton(context, 'See my webhooks', 'webhooks'),
    notes: [
      'If you use a service such as Zapier or n8n, this was probably it. If you don’t know the address, remove the webhook and revoke the API key.',
    ],
  }
}
