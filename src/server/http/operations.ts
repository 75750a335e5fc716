import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { AppError } from './errors.ts'

/** A number for GET /metrics, by its Prometheus name. */
export type Metric = { name: string; help: string; type: 'counter' | 'gauge'; value: number }

export type OperationsDeps = {
  db: Db
  metricsToken: string | undefined
  metrics: () => Metric[]
}

/** Routes for operators: is the process up, does the database answer, what do the counters say. */
export async function operationsRoutes(app: FastifyInstance, deps: OperationsDeps) {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async () => {
    try {
      await sql`select 1`.execute(deps.db)
    } catch {
      throw new AppError('unavailable')
    }
    return { status: 'ok' }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.metricsToken)) throw new AppError('not_found')
    return reply.type('text/plain; version=0.0.4').send(deps.metrics().map(exposition).join(''))
  })
}

/** The Prometheus text format, version 0.0.4. */
function exposition({ name, help, type, value }: Metric): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
}

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const { authorization = '' } = request.headers
  if (token) return isSame(authorization, `Bearer ${token}`)
  // Behind a proxy on this machine everyone comes from loopback.
  const isForwarded = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers
  return !isForwarded && LOOPBACK.test(request.socket.remoteAddress ?? '')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
