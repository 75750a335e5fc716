import { LRUCache } from 'lru-cache'
import { IMAGE_SIZE } from '#contract/pictures.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { DrawingPool } from './drawing-pool.ts'
import { pictureETag, pictureVersion } from './picture-versions.ts'
import type { Archive, Picture } from './pictures.ts'

/** Half a kilobyte each. Pictures are not kept: it takes about a millisecond to draw one again. */
const VERDICTS_KEPT = 2_000

/** Draws pictures and archives and checks designs, once for all who ask at the same time. */
export class Drawings {
  readonly #pool: Pick<DrawingPool, 'run'>
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #verdicts = new LRUCache<string, Legibility>({ max: VERDICTS_KEPT })

  constructor(pool: Pick<DrawingPool, 'run'>) {
    this.#pool = pool
  }

  picture(picture: Picture) {
    return this.#once(pictureETag(picture), () => this.#pool.run({ kind: 'picture', picture }))
  }

  archive(archive: Archive) {
    return this.#once(JSON.stringify(archive), () => this.#pool.run({ kind: 'archive', archive }))
  }

  /** How well scanners read the design's pictures. @throws as DrawingPool.run does */
  async checkLook(design: Design): Promise<Legibility> {
    const version = pictureVersion(design)
    return this.#verdicts.get(version) ?? this.#once(version, () => this.#check(design, version))
  }

  async #check(design: Design, version: string): Promise<Legibility> {
    const check = { design, size: IMAGE_SIZE.default }
    const legibility = await this.#pool.run({ kind: 'check', check })
    this.#verdicts.set(version, legibility)
    return legibility
  }

  #once<Result>(key: string, make: () => Promise<Result>): Promise<Result> {
    const underWay = this.#underWay.get(key) as Promise<Result> | undefined
    if (underWay) return underWay
    const making = make().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, making)
    return making
  }
}
