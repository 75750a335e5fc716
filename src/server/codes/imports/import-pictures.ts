import type { Design } from '#qr/symbol/look.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import { DistinctStems } from '../../pictures/file-names.ts'
import type { ZipFile } from '../../pictures/zip-stream.ts'
import { listedByIds } from '../codes-store.ts'
import { picturesOf, refuseFaults, ZIP_CHECK_EDGE } from '../pictures/codes-file.ts'
import { savedDesign } from '../presenter.ts'
import type { CodesRoomDeps } from '../types.ts'
import { type ImportRecord, rowsFrom } from './imports-store.ts'

type Deps = Pick<CodesRoomDeps, 'db' | 'publicUrl' | 'drawings'>

/** Codes that are read and checked together: a tenth of a second of a drawing thread. */
const PART = 25
/** Rows among which the longest and the shortest link are looked for. */
const LOOKED_AT_ONCE = 1_000

type Named = { name: string; design: Design }

/** Some of the codes of an import that are still there, in the order of its rows. */
async function codesFrom(
  { db, publicUrl }: Deps,
  { id, workspace_id }: ImportRecord,
  { from, limit }: { from: number; limit: number },
): Promise<{ codes: Named[]; isEnd: boolean }> {
  const rows = await rowsFrom(db, id, { from, limit })
  const codes = await listedByIds(
    db,
    workspace_id,
    rows.map(({ code_id }) => code_id),
  )
  return {
    codes: codes.map((row) => ({ name: row.name, design: savedDesign(row, publicUrl) })),
    isEnd: rows.length < limit,
  }
}

const labelsOf = (codes: readonly Named[]) =>
  codes.map(({ design }) => ({ design, name: '', link: '' }))

/**
 * Reads the codes with the longest and the shortest link, which have the most and the fewest modules:
 * all were made with one look, so that a look which does not scan is refused before a zip begins.
 * @returns how many codes are there
 * @throws AppError invalid_input
 */
export async function refuseUnreadable(
  deps: Deps,
  record: ImportRecord,
  asker: Asker,
): Promise<number> {
  let total = 0
  let longest: Named | undefined
  let shortest: Named | undefined
  const length = ({ design }: Named) => design.text.length
  for (let from = 0; ; from += LOOKED_AT_ONCE) {
    const { codes, isEnd } = await codesFrom(deps, record, { from, limit: LOOKED_AT_ONCE })
    for (const code of codes) {
      if (!longest || length(code) > length(longest)) longest = code
      if (!shortest || length(code) < length(shortest)) shortest = code
    }
    total += codes.length
    if (isEnd) break
  }
  const sample = [longest, shortest].filter((code) => code !== undefined)
  await refuseFaults(labelsOf(sample), ZIP_CHECK_EDGE, deps.drawings, asker, sample)
  return total
}

/**
 * The pictures of an import's codes in the order of its rows. Each code is read before its pictures are
 * given out; one that our scanner does not read, since its look was changed, is named in a list at the
 * end and left out.
 */
export async function* importPictures(
  deps: Deps,
  record: ImportRecord,
  asker: Asker,
): AsyncGenerator<ZipFile> {
  const { drawings } = deps
  const stems = new DistinctStems()
  const left: string[] = []
  for (let from = 0; ; from += PART) {
    const { codes, isEnd } = await codesFrom(deps, record, { from, limit: PART })
    const faults = await drawings.checkLabels(
      { labels: labelsOf(codes), edge: ZIP_CHECK_EDGE },
      asker,
    )
    for (const [index, { name, design }] of codes.entries()) {
      if (faults[index]) {
        left.push(name)
        continue
      }
      yield* picturesOf(stems.of(name), design, (picture) => drawings.picture(picture, asker))
    }
    if (isEnd) break
  }
  if (left.length === 0) return
  const text = `Our test scanner did not read these QR codes as they look now:\r\n\r\n${left.join('\r\n')}\r\n`
  yield { name: `${stems.of('Not in this file')}.txt`, whole: Buffer.from(text), isPacked: false }
}
