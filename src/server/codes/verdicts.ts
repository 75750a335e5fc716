import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import { ENGINE_VERSION, pictureVersion } from '../pictures/picture-versions.ts'
import { savedDesign } from './code-look.ts'
import { findLive, storeVerdict, uncheckedIds } from './verdicts-store.ts'

/** To be raised with every change of the scan check that may change a verdict. */
const CHECK_VERSION = 1

const SWEEP_MS = 10 * 60 * 1000
/** Most codes that wait at a time: some minutes' work. The sweep finds the others. */
const WAITING_MAX = 200

type Deps = {
  db: Db
  log: FastifyBaseLogger
  publicUrl: string
  checkLook: (design: Design) => Promise<Legibility>
}

/**
 * Stores the verdict on every saved code, one code after the other. No save and no answer waits for
 * it. The sweep finds the codes that a stop or a failure left without a verdict.
 */
export class Verdicts {
  readonly #deps: Deps
  /** Part of each stored verdict: those of another engine, check or public address are outdated. */
  readonly #generation: string
  readonly #waiting = new Set<string>()
  #work: Promise<void> | undefined
  #stopped = false

  constructor(deps: Deps) {
    this.#deps = deps
    const decisive = JSON.stringify([ENGINE_VERSION, CHECK_VERSION, deps.publicUrl])
    this.#generation = hash('sha256', decisive, 'hex').slice(0, 8)
  }

  /** Checks a code soon, with the look that it has by then. */
  checkSoon(codeId: string) {
    if (this.#stopped || this.#waiting.size >= WAITING_MAX) return
    this.#waiting.add(codeId)
    this.#work ??= this.#workOff()
  }

  sweep(): Job {
    const run = async () => {
      const ids = await uncheckedIds(this.#deps.db, this.#generation, WAITING_MAX)
      for (const id of ids) this.checkSoon(id)
    }
    return { name: 'check-codes', everyMs: SWEEP_MS, run }
  }

  /** Ends after the current check. */
  async stop() {
    this.#stopped = true
    this.#waiting.clear()
    await this.#work
  }

  async #workOff() {
    for (const id of this.#waiting) {
      this.#waiting.delete(id)
      try {
        await this.#check(id)
      } catch (error) {
        this.#deps.log.warn({ err: error, code: id }, 'scan check failed; it is repeated later')
      }
    }
    this.#work = undefined
  }

  async #check(id: string) {
    const { db, publicUrl, checkLook } = this.#deps
    const row = await findLive(db, id)
    if (!row) return
    const design = savedDesign(row, publicUrl)
    const { verdict } = await checkLook(design)
    await storeVerdict(db, row, verdict, `${this.#generation}.${pictureVersion(design)}`)
  }
}
