import type { FastifyBaseLogger } from 'fastify'
import { PICTURE_MAX_PIXELS } from '#contract/account-settings.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits.ts'
import type { Metric } from '../../http/operations.ts'
import { queueMetrics } from '../../http/queue-metrics.ts'
import { Turns } from '../../http/turns.ts'
import { PictureProcess, type PictureProcessLimits } from './picture-process.ts'

const TOO_MANY_PIXELS = 'This picture has more than 16 megapixels. Please use a smaller one.'

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Whether bytes begin as PNG, JPEG or WebP do. No other program of a picture reader ever runs. */
export function isPictureStart(bytes: Uint8Array): boolean {
  const start = ascii(bytes, 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')) return true
  return start.startsWith('RIFF') && start.endsWith('WEBP')
}

/** Draws people's pictures again: whatever file comes, ours is 256 × 256 pixels and only a picture. */
export class UserPictures {
  readonly #turns = new Turns(queues.userPictures)
  readonly #process: PictureProcess
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger, limits?: Partial<PictureProcessLimits>) {
    this.#log = log
    this.#process = new PictureProcess(limits)
  }

  /**
   * A picture of ours (WebP) from a file of somebody's.
   * @param userId whose turn it is
   * @throws AppError picture_unreadable; as Turns.run
   */
  async draw(userId: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (!isPictureStart(bytes)) throw new AppError('picture_unreadable')
    const reply = await this.#turns.run(
      userId,
      () =>
        this.#process.draw({ bytes, maxPixels: PICTURE_MAX_PIXELS }).catch((error: unknown) => {
          // A picture that breaks its reader or never ends is unreadable too.
          this.#log.warn({ err: error, userId }, 'a picture was not read')
          throw new AppError('picture_unreadable')
        }),
      signal,
    )
    if ('picture' in reply) return reply.picture
    const isTooLarge = reply.refused === 'too-many-pixels'
    throw new AppError('picture_unreadable', isTooLarge ? TOO_MANY_PIXELS : undefined)
  }

  metrics(): Metric[] {
    return queueMetrics('user_pictures', 'Pictures of people', this.#turns)
  }

  stop() {
    this.#process.stop()
  }
}
