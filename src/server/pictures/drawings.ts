import { LRUCache } from 'lru-cache'
import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import type { LogoPicture } from '#qr/artwork/artwork.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Asker, DrawingPool } from './drawing-pool.ts'
import type { Label, LabelCheck, LabelPage } from './labels.ts'
import { pictureETag, pictureVersion } from './picture-versions.ts'
import type { Archive, Picture } from './pictures.ts'

/** Half a kilobyte each. Pictures are not kept: it takes about a millisecond to draw one again. */
const VERDICTS_KEPT = 2_000

/** Sixteen logos of the largest size */
const LOGOS_KEPT_BYTES = 16 * 1024 * 1024

export type FindLogo = (id: string) => Promise<LogoPicture | undefined>

/** A task that several callers may wait for. It is aborted when all of them have hung up. */
type Shared = { result: Promise<unknown>; asking: number; giveUp: AbortController }

/** Draws pictures and archives and checks designs, once for all callers at the same time. */
export class Drawings {
  readonly #pool: Pick<DrawingPool, 'run'>
  readonly #logoOf: FindLogo
  readonly #logos = new LRUCache<string, LogoPicture>({
    maxSize: LOGOS_KEPT_BYTES,
    sizeCalculation: ({ data }) => data.length,
  })
  readonly #underWay = new Map<string, Shared>()
  readonly #verdicts = new LRUCache<string, Legibility>({ max: VERDICTS_KEPT })

  /** @param logoOf finds a logo's picture by its id */
  constructor(pool: Pick<DrawingPool, 'run'>, logoOf: FindLogo = async () => undefined) {
    this.#pool = pool
    this.#logoOf = logoOf
  }

  /** @throws as DrawingPool.run does, and so do the others */
  picture(picture: Picture, asker: Asker) {
    return this.#once(pictureETag(picture), asker, async (all) =>
      this.#pool.run({ kind: 'picture', picture: await this.#withLogo(picture) }, all),
    )
  }

  archive(archive: Archive, asker: Asker) {
    return this.#once(JSON.stringify(archive), asker, async (all) => {
      const pictures = await Promise.all(archive.pictures.map((each) => this.#withLogo(each)))
      return this.#pool.run({ kind: 'archive', archive: { ...archive, pictures } }, all)
    })
  }

  /** A page of a file of labels. Each belongs to one file, so it is not shared. */
  async labelPage(page: LabelPage, asker: Asker) {
    const labels = await this.#withLogos(page.labels)
    return this.#pool.run({ kind: 'labels', page: { ...page, labels } }, asker)
  }

  /** Reads the codes of labels. Returns the fault of each, or null. */
  async checkLabels(check: LabelCheck, asker: Asker) {
    const labels = await this.#withLogos(check.labels)
    return this.#pool.run({ kind: 'check-labels', check: { ...check, labels } }, asker)
  }

  /** How well scanners read the design's pictures. */
  async checkLook(design: Design, asker: Asker): Promise<Legibility> {
    const version = pictureVersion(design)
    const known = this.#verdicts.get(version)
    return known ?? this.#once(version, asker, (all) => this.#check(design, version, all))
  }

  async #check(design: Design, version: string, asker: Asker): Promise<Legibility> {
    const check = { design: await this.#withLogo(design), size: IMAGE_SIZE.default }
    const legibility = await this.#pool.run({ kind: 'check', check }, asker)
    this.#verdicts.set(version, legibility)
    return legibility
  }

  #withLogos(labels: readonly Label[]): Promise<Label[]> {
    return Promise.all(
      labels.map(async (label) => ({ ...label, design: await this.#withLogo(label.design) })),
    )
  }

  /** The design with the picture of its logo; without it if no account has that picture any more. */
  async #withLogo<Drawn extends Design>(design: Drawn): Promise<Drawn> {
    const id = design.artwork?.logo?.id
    if (id === undefined) return design
    const logo = this.#logos.get(id) ?? (await this.#logoOf(id))
    if (!logo) return design
    this.#logos.set(id, logo)
    return { ...design, logo }
  }

  /** Shares only among callers of one account, so that no account waits for another's turn. */
  async #once<Result>(
    thing: string,
    asker: Asker,
    make: (all: Asker) => Promise<Result>,
  ): Promise<Result> {
    const { owner, signal } = asker
    signal?.throwIfAborted()
    const key = `${owner} ${thing}`
    const shared = this.#underWay.get(key) ?? this.#begin(key, asker, make)
    shared.asking++
    const leave = () => {
      shared.asking--
      if (shared.asking > 0) return
      this.#forget(key, shared)
      shared.giveUp.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return (await shared.result) as Result
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #begin(key: string, asker: Asker, make: (all: Asker) => Promise<unknown>): Shared {
    const giveUp = new AbortController()
    const result = make({ ...asker, signal: giveUp.signal })
    const shared = { result, asking: 0, giveUp }
    const forget = () => this.#forget(key, shared)
    result.then(forget, forget)
    this.#underWay.set(key, shared)
    return shared
  }

  /** Later callers do not get a result that has failed or was aborted. */
  #forget(key: string, shared: Shared) {
    if (this.#underWay.get(key) === shared) this.#underWay.delete(key)
  }
}
