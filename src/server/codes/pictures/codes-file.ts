import { Readable } from 'node:stream'
import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import type { Design } from '#qr/symbol/look.ts'
import { invalidInput } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import type { Drawings } from '../../pictures/drawings.ts'
import { attachment } from '../../pictures/file-names.ts'
import type { Label, LabelFault } from '../../pictures/labels.ts'
import type { Picture } from '../../pictures/pictures.ts'
import type { ZipFile } from '../../pictures/zip-stream.ts'
import { shownName } from '../rules.ts'
import type { CodeRoutesDeps } from '../types.ts'

/** Labels whose codes a thread reads in one go: a tenth of a second, after which others take their turn. */
const CHECKED_AT_ONCE = 25

const reasons: Record<LabelFault, string> = {
  unreadable: 'couldn’t be read by our test scanner. Change its colors, or choose larger labels.',
  'no-letters':
    'has letters that this file can’t show. Create the labels on the dashboard, which can.',
  'bad-picture': 'came with a picture of its name that can’t be read.',
}

type Named = { name: string }

/**
 * Reads the code of each label at its size in print; nothing is given out if one fails.
 * @param edge of a code in print, in millimetres
 * @param named the codes, whose names the refusal says
 * @throws AppError invalid_input, whose fields name the ids
 */
export async function refuseFaults(
  labels: readonly Label[],
  edge: number,
  drawings: Pick<Drawings, 'checkLabels'>,
  asker: Asker,
  named: readonly Named[],
): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (let start = 0; start < labels.length; start += CHECKED_AT_ONCE) {
    const part = labels.slice(start, start + CHECKED_AT_ONCE)
    const faults = await drawings.checkLabels({ labels: part, edge }, asker)
    faults.forEach((fault, index) => {
      const at = start + index
      const of = fault === 'no-letters' ? labels[at] : named[at]
      if (fault) issues.push({ path: `ids.${at}`, message: refusal(of?.name ?? '', fault) })
    })
  }
  if (issues.length > 0) throw invalidInput(issues)
}

const refusal = (name: string, fault: LabelFault) => `“${shownName(name)}” ${reasons[fault]}`

/** Edge in print in millimetres at which a code of a zip is read before it is given out. */
export const ZIP_CHECK_EDGE = 30

const PICTURE_FORMATS = ['png', 'svg'] as const
export const FILES_PER_CODE = PICTURE_FORMATS.length

type Draw = (picture: Picture) => Promise<{ bytes: Uint8Array }>

/** The pictures of a code. */
export async function* picturesOf(
  stem: string,
  design: Design,
  draw: Draw,
): AsyncGenerator<ZipFile> {
  for (const format of PICTURE_FORMATS) {
    const { bytes } = await draw({ ...design, format, size: IMAGE_SIZE.default })
    yield { name: `${stem}.${format}`, whole: bytes, isPacked: format === 'png' }
  }
}

/** One file of an account at a time. */
export function sheetTurns(): CodeRoutesDeps['sheetTurn'] {
  const turns = new FairQueue(queues.sheets)
  return async (request, reply) => {
    const asker = await queueUntilAnswered(turns, request, reply)
    return { ...asker, isExempt: true }
  }
}

/** `x-total-files` says how many pages or files there will be, for a bar. */
export function fileHeaders(name: string, total: number) {
  return {
    'cache-control': 'private, no-store',
    'content-disposition': attachment(name),
    'x-total-files': total,
  }
}

export const inParts = (parts: AsyncGenerator<Uint8Array>) =>
  Readable.from(parts, { objectMode: false })
