import type { FastifyBaseLogger } from 'fastify'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { RepeatableTask } from '../repeatable-task.ts'
import { heldDomains } from './domains-store.ts'

/** Another process on the same database may have changed them, and its message may be lost. */
const REFRESH_MS = 15_000

type HeldDomain = Awaited<ReturnType<typeof heldDomains>>[number]

export type HeldDomains = ReturnType<typeof heldInMemory>

/** Every host on which names lead, in memory: a redirect asks for no other. The old ones serve while the database is down. */
export function heldInMemory({ db, log }: { db: Db; log: FastifyBaseLogger }) {
  let byHost = new Map<string, HeldDomain>()
  let byId = new Map<string, HeldDomain>()
  const reading = new RepeatableTask(async () => {
    try {
      const held = await heldDomains(db)
      byHost = new Map(held.map((domain) => [domain.host, domain]))
      byId = new Map(held.map((domain) => [domain.id, domain]))
    } catch (err) {
      log.warn({ err }, 'the hosts of customers could not be read')
    }
    reading.after(REFRESH_MS)
  })
  return {
    /** @param host a Host header, with or without a port */
    get: (host: string | undefined): HeldDomain | undefined => {
      if (byHost.size === 0 || host === undefined) return undefined
      return byHost.get(host) ?? byHost.get(plainHost(host))
    },
    /** The account that has a host, by its claim's id */
    ownerOf: (id: string): WorkspaceId | undefined => byId.get(id)?.workspaceId,
    /** Reads them again. A read that began before a change is followed by another one. */
    refresh: async () => {
      reading.soon()
      await reading.idle()
    },
    stop: () => reading.stop(),
  }
}

const plainHost = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
