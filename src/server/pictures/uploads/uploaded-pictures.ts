import type { FastifyBaseLogger } from 'fastify'
import { PICTURE_MAX_PIXELS } from '#contract/accounts/account-settings.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import type { Metric } from '../../http/metrics.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { PictureProcess, type PictureProcessLimits } from './picture-process.ts'
import type { PictureReply, PictureUse, ReadLogo, RefusalReason } from './picture-program.ts'
import { isSvgStart } from './svg-faults.ts'

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Whether bytes begin as PNG, JPEG or WebP do. No other program of a picture reader ever runs. */
export function isPictureStart(bytes: Uint8Array): boolean {
  const start = ascii(bytes, 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')) return true
  return start.startsWith('RIFF') && start.endsWith('WEBP')
}

/** The beginning of gzip (RFC 1952 §2.3.1) */
const isCompressed = (bytes: Uint8Array) => ascii(bytes, 0, 2) === '\x1f\x8b'

const refusalTexts: Record<Exclude<RefusalReason, 'unreadable'>, string> = {
  'too-many-pixels': 'This picture has more than 16 megapixels. Please use a smaller one.',
  'too-complex': 'This SVG is too complex to draw. Simplify it, or use a PNG of it.',
  'nothing-visible': 'Nothing can be seen in this picture: all of it is transparent.',
  entities:
    'This SVG declares entities, which we do not read. Save it as plain SVG, or use a PNG of it.',
  elsewhere:
    'This SVG shows a picture that is not in the file. Embed that picture, or use a PNG of it.',
}
const NO_LOGO = 'This picture cannot be read. Use a PNG, JPG, SVG, or WebP file.'
const COMPRESSED = 'This SVG is compressed (SVGZ). Save it as plain SVG, or use a PNG of it.'

/** Reads the pictures that users send. Only pixels of them are kept. */
export class UploadedPictures {
  readonly #turns = new FairQueue(queues.userPictures)
  readonly #process: PictureProcess
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger, limits?: Partial<PictureProcessLimits>) {
    this.#log = log
    this.#process = new PictureProcess(limits)
  }

  /**
   * A square of 256 pixels (WebP) from a user's file.
   * @param owner the account whose turn it is
   * @throws AppError picture_unreadable; as FairQueue.run
   */
  async portrait(owner: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (!isPictureStart(bytes)) throw new AppError('picture_unreadable')
    const reply = await this.#read(owner, bytes, 'portrait', signal)
    if (reply && 'portrait' in reply) return reply.portrait
    throw new AppError('picture_unreadable', textOf(reply))
  }

  /** The pixels of a logo, at most 512 an edge; also from an SVG. @throws as portrait does */
  async logo(owner: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ReadLogo> {
    const isSvg = isSvgStart(bytes)
    if (!isSvg && !isPictureStart(bytes)) {
      throw new AppError('picture_unreadable', isCompressed(bytes) ? COMPRESSED : NO_LOGO)
    }
    const reply = await this.#read(owner, bytes, 'logo', signal)
    if (reply && 'logo' in reply) return reply.logo
    const fallback = isSvg && !reply ? refusalTexts['too-complex'] : NO_LOGO
    throw new AppError('picture_unreadable', textOf(reply) ?? fallback)
  }

  metrics(): Metric[] {
    return this.#turns.metrics('user_pictures', 'Pictures of people')
  }

  stop() {
    this.#process.stop()
  }

  /** Returns undefined if a picture broke its reader or took too long. */
  #read(owner: string, bytes: Uint8Array, use: PictureUse, signal?: AbortSignal) {
    return this.#turns.run(
      owner,
      () =>
        this.#process
          .read({ use, bytes, maxPixels: PICTURE_MAX_PIXELS })
          .catch((error: unknown) => {
            this.#log.warn({ err: error, owner }, 'a picture was not read')
            return undefined
          }),
      signal,
    )
  }
}

/** The text of a refusal, if it says more than its code. */
function textOf(reply: PictureReply | undefined): string | undefined {
  if (!reply || !('refused' in reply) || reply.refused === 'unreadable') return undefined
  return refusalTexts[reply.refused]
}
