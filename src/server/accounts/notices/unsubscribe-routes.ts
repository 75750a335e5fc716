import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from '#contract/zod.ts'
import { recordEvent } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { plainPage } from '../../http/plain-page.ts'
import { originOf } from '../origin.ts'
import { switchOff } from './notices-store.ts'
import { type EndingKind, readUnsubscribe } from './unsubscribe-token.ts'

type Deps = {
  db: Db
  clock: Clock
  secret: string
  stopFigureMails: (tx: Tx, userId: string) => Promise<boolean>
}

const about: Record<EndingKind, string> = {
  'code-ends': 'QR codes that stop working soon',
  'payment-failed': 'payments that failed',
  'plan-ends': 'the end of your plan',
  figures: 'the figures of your QR codes',
}

const BACK =
  '<p>You can switch each kind of mail on and off in <a href="/profile?settings=notices">your account settings</a>.</p>'

const askPage = (kind: EndingKind) =>
  plainPage(
    'Stop these mails?',
    `<p>We will no longer write to you about ${about[kind]}. Mails about your account’s security still come.</p>
<form method="post"><button class="go" style="background:none;color:var(--accent);font:inherit;font-weight:600;cursor:pointer">Stop these mails</button></form>`,
  )

const donePage = (kind: EndingKind) =>
  plainPage('These mails have stopped', `<p>You get no more mails about ${about[kind]}.</p>${BACK}`)

const brokenPage = plainPage(
  'This link is not complete',
  `<p>Open it in the mail once more, or copy the whole of it.</p>${BACK}`,
)

const query = z.object({ token: z.unknown().default('').transform(String) })

/** Ends a kind of mail with one click, without signing in (RFC 8058). */
export async function unsubscribeRoutes(
  plain: FastifyInstance,
  { db, clock, secret, stopFigureMails }: Deps,
) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  // A mail program posts a form, which tells nothing that the address does not.
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
        kind === 'figures' ? await stopFigureMails(tx, userId) : await switchOff(tx, userId, kind)
      if (!isNew) return
      const event = { userId, actor: 'user', event: 'notices-changed', subject: kind } as const
      await recordEvent(tx, { ...event, origin: originOf(request) }, clock())
    })
    return send(reply, 200, donePage(kind))
  })
}

function send(reply: FastifyReply, status: number, html: string) {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      // The token stays here, and the page's own form still says where it comes from.
      'referrer-policy': 'strict-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
