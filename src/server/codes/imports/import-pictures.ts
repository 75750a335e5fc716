import type { Design } from '#qr/symbol/look.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import { DistinctStems } from '../../pictures/file-names.ts'
import { listedByIds } from '../codes-store.ts'
import { picturesOf, refuseFaults, ZIP_CHECK_EDGE } from '../pictures/codes-file.ts'
import { savedDesign } from '../presenter.ts'
import type { CodesRoomDeps } from '../types.ts'
import { type ImportRecord, partsOf } from './imports-store.ts'

type Deps = Pick<CodesRoomDeps, 'db' | 'publicUrl' | 'drawings'>

/** Codes that are read and checked together: a tenth of a second of a drawing thread. */
const PART = 25
/** Rows among which the longest and the shortest link are looked for. */
const LOOKED_AT_ONCE = 1_000

type Named = { name: string; design: Design }

/** The codes of an import that are still there, in parts, in the order of its rows. */
async function* codesOf(
  { db, publicUrl }: Deps,
  { id, workspace_id }: ImportRecord,
  limit: number,
): AsyncGenerator<Named[]> {
  for await (const rows of partsOf(db, id, { limit })) {
    const ids = rows.map(({ code_id }) => code_id)
    const codes = await listedByIds(db, workspace_id, ids)
    yield codes.map((row) => ({ name: row.name, design: savedDesign(row, publicUrl) }))
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
export async function refuseUnreadable(deps: Deps, record: ImportRecord, asker: Asker) {
  let total = 0
  let longest: Named | undefined
  let shortest: Named | undefined
  const length = ({ design }: Named) => design.text.length
  for await (const codes of codesOf(deps, record, LOOKED_AT_ONCE)) {
    for (const code of codes) {
      if (!longest || length(code) > length(longest)) longest = code
      if (!shortest || length(code) < length(shortest)) shortest = code
    }
    total += codes.length
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
export async function* importPictures(deps: Deps, record: ImportRecord, asker: Asker) {
  const { drawings } = deps
  const stems = new DistinctStems()
  const left: string[] = []
  for await (const codes of codesOf(deps, record, PART)) {
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
  }
  if (left.length === 0) return
  const text = `Our test scanner did not read these QR codes as they look now:\r\n\r\n${left.join('\r\n')}\r\n`
  yield { name: `${stems.of('Not in this file')}.txt`, whole: Buffer.from(text), isPacked: false }
}
