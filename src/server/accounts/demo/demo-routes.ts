import type { FastifyInstance } from 'fastify'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { plainPage, sendPlainPage } from '../../http/plain-page.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { DemoSession } from './demo-session.ts'

const notYet = plainPage(
  'The demo is being made',
  '<p>It will be there in a moment. Please go back and try again.</p>',
)

/** Opens the live demo: a form of the landing page posts to it. Who is signed in stays so. */
export async function demoRoutes(
  app: FastifyInstance,
  deps: { sessions: Sessions; demo: DemoSession },
) {
  const { sessions, demo } = deps
  const asForm = { parseAs: 'string', bodyLimit: 1024 } as const
  // The form has no fields, and browsers name its type all the same.
  app.addContentTypeParser('application/x-www-form-urlencoded', asForm, (_request, _body, done) =>
    done(null, undefined),
  )
  const countVisit = rateLimit(memoryLimits.visits, clientAddress)
  app.post('/api/demo', { onRequest: countVisit }, async (request, reply) => {
    if ((await demo.userId()) === undefined) return sendPlainPage(reply, 503, notYet)
    if (!(await sessions.current(request, reply))) demo.begin(reply)
    return reply.header('cache-control', 'no-store').redirect('/', 303)
  })
}
