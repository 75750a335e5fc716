import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Db } from './database/schema.ts'
import type { Metric } from './http/metrics.ts'
import type { Job } from './jobs.ts'
import type { Pages } from './pages/pages.ts'

/** The parts that every room is made with. The parts that it needs of another room come besides. */
export type RoomDeps = {
  config: Config
  publicUrl: string
  /** Signs cookies and links, and encrypts the secrets of second factors. */
  secret: string
  clock: Clock
  log: FastifyBaseLogger
  database: Database
  /** `database.db` writes and reads. */
  db: Db
  /** `database.reads` is for long reports. */
  reads: Db
  pages: Pages
}

/** A scope of the server whose routes have schemas of the contract. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** A part of the server that app.ts registers, starts and stops with the others. */
export type Room = {
  /** Registers routes outside the rules of the site. */
  publicRoutes?: (server: FastifyInstance) => Promise<void>
  /** Registers its routes behind the rules of the site. */
  routes?: (site: FastifyInstance) => Promise<void>
  jobs?: Job[]
  metrics?: () => Metric[]
  /** Ends its work, as far as that does not end by itself. */
  stop?: () => Promise<void>
}
