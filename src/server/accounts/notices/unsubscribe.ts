import { createHmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { noticeKinds } from '#contract/accounts/account-settings.ts'
import { z } from '#contract/zod.ts'
import { checkedActor } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { plainPage } from '../../http/plain-page.ts'
import { workspacesOwnedBy } from '../../memberships.ts'
import type { Api } from '../../room.ts'
import { isSame } from '../../same-secret.ts'
import type { AccountDeps } from '../account-deps.ts'
import { originOf } from '../origin.ts'
import { switchOff } from './notices-store.ts'

/** Kinds of mails that end with one click: notices, and the mailed reports (figures) */
const kinds = [...noticeKinds, 'figures'] as const
type EndingKind = (typeof kinds)[number]

/** An account, and the kind of its mails that the token may end without signing in */
type Unsubscription = { userId: PersonId; kind: EndingKind }

/** A longer token is not read. */
const TOKEN_MAX = 300

/** The word in front keeps this signature apart from all others that are made with the key. */
function signatureOf(secret: string, about: string): string {
  return createHmac('sha256', secret).update(`unsubscribe ${about}`).digest('base64url')
}

/** The URL that ends such mails. It works until the key changes. */
export function unsubscribeUrl(
  { publicUrl, secret }: { publicUrl: string; secret: string },
  { userId, kind }: Unsubscription,
): string {
  const about = `${userId}.${kind}`
  const token = `${about}.${signatureOf(secret, about)}`
  return `${publicUrl}/api/unsubscribe?token=${encodeURIComponent(token)}`
}

/** Reads a token. Returns undefined if we did not sign it. */
export function readUnsubscribe(secret: string, token: string): Unsubscription | undefined {
  if (token.length > TOKEN_MAX) return undefined
  const [userId = '', kind = '', signature = '', ...rest] = token.split('.')
  const isOurs = isSame(signature, signatureOf(secret, `${userId}.${kind}`))
  if (rest.length > 0 || !isOurs) return undefined
  const known = kinds.find((name) => name === kind)
  return known && { userId: userId as PersonId, kind: known }
}

const about: Record<EndingKind, string> = {
  'code-ends': 'QR codes that stop working soon',
  'destination-dead': 'destinations that stop working',
  'payment-failed': 'failed payments',
  'plan-ends': 'the end of your plan',
  figures: 'the analytics of your QR codes',
}

const BACK =
  '<p>You can turn each kind of email on and off in <a href="/profile?settings=notices">your account settings</a>.</p>'

const askPage = (kind: EndingKind) =>
  plainPage(
    'Stop these emails?',
    `<p>We’ll stop emailing you about ${about[kind]}. You’ll still get emails about your account’s security.</p>
<form method="post"><button class="go" style="background:none;color:var(--accent);font:inherit;font-weight:600;cursor:pointer">Stop these emails</button></form>`,
  )

const donePage = (kind: EndingKind) =>
  plainPage(
    'You’re unsubscribed',
    `<p>You won’t get any more emails about ${about[kind]}.</p>${BACK}`,
  )

const brokenPage = plainPage(
  'This link isn’t complete',
  `<p>Open it from the email again, or copy all of it.</p>${BACK}`,
)

const query = z.object({ token: z.unknown().default('').transform(String) })

/** Ends a kind of mail with one click, without signing in (RFC 8058). */
export async function unsubscribeRoutes(app: Api, deps: AccountDeps) {
  const { db, secret } = deps

  /** Stops the mailed reports of all that a person owns. Returns false if they were off. */
  async function stopMails(tx: Tx, userId: PersonId): Promise<boolean> {
    const owned = await workspacesOwnedBy(tx, userId)
    const stopped = []
    for (const id of owned) stopped.push(await deps.stopFigureMails(tx, id))
    return stopped.includes(true)
  }

  // Mail programs post a form. It is not read: everything is in the URL.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async () => undefined)
  }

  app.get('/api/unsubscribe', { schema: { querystring: query } }, async (request, reply) => {
    const wish = readUnsubscribe(secret, request.query.token)
    return wish ? send(reply, 200, askPage(wish.kind)) : send(reply, 404, brokenPage)
  })

  app.post('/api/unsubscribe', { schema: { querystring: query } }, async (request, reply) => {
    const wish = readUnsubscribe(secret, request.query.token)
    if (!wish) return send(reply, 404, brokenPage)
    const { userId, kind } = wish
    await transact(db, async (tx) => {
      const isNew =
        kind === 'figures' ? await stopMails(tx, userId) : await switchOff(tx, userId, kind)
      if (!isNew) return
      await deps.record(tx, checkedActor(userId, originOf(request)), 'notices-changed', kind)
    })
    return send(reply, 200, donePage(kind))
  })
}

function send(reply: FastifyReply, status: number, html: string) {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      // The token stays on this site, and the page's own form still names its origin.
      'referrer-policy': 'strict-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
