import type { FastifyBaseLogger } from 'fastify'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { RepeatableTask } from '../repeatable-task.ts'
import { type HeldDomain, heldDomains } from './domains-store.ts'

/** Another process on the same database may have changed them, and its message may be lost. */
const REFRESH_MS = 15_000

/** Every host on which names lead, in memory: a redirect asks for no other. The old ones serve while the database is down. */
export class HeldDomains {
  readonly #deps: { db: Db; log: FastifyBaseLogger }
  #byHost = new Map<string, HeldDomain>()
  #byId = new Map<string, HeldDomain>()
  readonly #reading = new RepeatableTask(() => this.#read())

  constructor(deps: { db: Db; log: FastifyBaseLogger }) {
    this.#deps = deps
  }

  /** @param host a Host header, with or without a port */
  get(host: string | undefined): HeldDomain | undefined {
    if (this.#byHost.size === 0 || host === undefined) return undefined
    return this.#byHost.get(host) ?? this.#byHost.get(plainHost(host))
  }

  /** The account that has a host, by its claim's id */
  readonly ownerOf = (id: string): WorkspaceId | undefined => this.#byId.get(id)?.workspaceId

  /** Reads them again. A read that began before a change is followed by another one. */
  async refresh(): Promise<void> {
    this.#reading.soon()
    await this.#reading.idle()
  }

  stop(): Promise<void> {
    return this.#reading.stop()
  }

  async #read(): Promise<void> {
    try {
      this.#byHost = await heldDomains(this.#deps.db)
      this.#byId = new Map([...this.#byHost.values()].map((domain) => [domain.id, domain]))
    } catch (err) {
      this.#deps.log.warn({ err }, 'the hosts of customers could not be read')
    }
    this.#reading.after(REFRESH_MS)
  }
}

const plainHost = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
