import type { FastifyBaseLogger } from 'fastify'
import { PICTURE_MAX_PIXELS } from '#contract/account-settings.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits.ts'
import type { Metric } from '../../http/operations.ts'
import { queueMetrics } from '../../http/queue-metrics.ts'
import { Turns } from '../../http/turns.ts'
import { PictureProcess, type PictureProcessLimits } from './picture-process.ts'
import type { PictureReply, PictureUse, ReadLogo } from './picture-program.ts'

const TOO_MANY_PIXELS = 'This picture has more than 16 megapixels. Please use a smaller one.'

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Whether bytes begin as PNG, JPEG or WebP do. No other program of a picture reader ever runs. */
export function isPictureStart(bytes: Uint8Array): boolean {
  const start = ascii(bytes, 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')) return true
  return start.startsWith('RIFF') && start.endsWith('WEBP')
}

/** How much of a file is looked at for its root element. */
const SVG_HEAD = 4_096

/**
 * Whether bytes are an SVG document that declares no entities: those can unfold to gigabytes, or name
 * files and addresses.
 */
export function isPlainSvg(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, SVG_HEAD)).toString('utf8')
  if (!/^\uFEFF?\s*<(?:\?xml|!--|!DOCTYPE|svg)[\s\S]*<?svg[\s>]/.test(head)) return false
  return !Buffer.from(bytes).toString('latin1').includes('<!ENTITY')
}

/** Reads the pictures that people send: whatever file comes, what is kept is ours and only a picture. */
export class UploadedPictures {
  readonly #turns = new Turns(queues.userPictures)
  readonly #process: PictureProcess
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger, limits?: Partial<PictureProcessLimits>) {
    this.#log = log
    this.#process = new PictureProcess(limits)
  }

  /**
   * A square of 256 pixels (WebP) from a file of somebody's.
   * @param userId whose turn it is
   * @throws AppError picture_unreadable; as Turns.run
   */
  async portrait(userId: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (!isPictureStart(bytes)) throw new AppError('picture_unreadable')
    const reply = await this.#read(userId, bytes, 'portrait', signal)
    if ('portrait' in reply) return reply.portrait
    throw refusalOf(reply)
  }

  /** The pixels of a logo, at most 512 an edge; also from an SVG. @throws as portrait does */
  async logo(userId: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ReadLogo> {
    if (!isPictureStart(bytes) && !isPlainSvg(bytes)) throw new AppError('picture_unreadable')
    const reply = await this.#read(userId, bytes, 'logo', signal)
    if ('logo' in reply) return reply.logo
    throw refusalOf(reply)
  }

  metrics(): Metric[] {
    return queueMetrics('user_pictures', 'Pictures of people', this.#turns)
  }

  stop() {
    this.#process.stop()
  }

  #read(userId: string, bytes: Uint8Array, use: PictureUse, signal?: AbortSignal) {
    return this.#turns.run(
      userId,
      () =>
        this.#process
          .read({ use, bytes, maxPixels: PICTURE_MAX_PIXELS })
          .catch((error: unknown) => {
            // A picture that breaks its reader or never ends is unreadable too.
            this.#log.warn({ err: error, userId }, 'a picture was not read')
            throw new AppError('picture_unreadable')
          }),
      signal,
    )
  }
}

function refusalOf(reply: PictureReply): AppError {
  const isTooLarge = 'refused' in reply && reply.refused === 'too-many-pixels'
  return new AppError('picture_unreadable', isTooLarge ? TOO_MANY_PIXELS : undefined)
}
